export interface PublishOptions {
  /** A time, or a number of seconds from now. */
  readonly startAfter?: Date | number
  /** At most one job of a kind waits with the same key: publishing another returns the id of the waiting one. */
  readonly singletonKey?: string
  /** A higher priority runs first; the priority of the job declaration unless set. */
  readonly priority?: number
}

export interface PublishedJob {
  readonly id: string
}

/** Publishes one kind of job; generated code supplies the type of its payload. */
export interface JobPublisher<Declared extends { readonly given: unknown }> {
  /**
   * Stores the job. Inside a transaction it is part of it, and runs only if the transaction commits.
   *
   * await queue.notifyTeam.publish({ articleId }, { startAfter: 60 })
   */
  publish(payload: Declared["given"], options?: PublishOptions): Promise<PublishedJob>
}
