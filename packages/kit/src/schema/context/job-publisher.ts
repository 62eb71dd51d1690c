export interface PublishOptions {
  /** A moment, or seconds from now. */
  readonly startAfter?: Date | number
  /** Of one job, at most one with the same key waits: publishing another gives the id of the one that does. */
  readonly singletonKey?: string
  /** Higher goes first; that of the job unless set. */
  readonly priority?: number
}

export interface PublishedJob {
  readonly id: string
}

/** Publishes one kind of job; generated code names what it is given. */
export interface JobPublisher<Declared extends { readonly given: unknown }> {
  /**
   * Stores the job, in a transaction as part of it: it runs only if that commits.
   *
   * await queue.notifyTeam.publish({ articleId }, { startAfter: 60 })
   */
  publish(payload: Declared["given"], options?: PublishOptions): Promise<PublishedJob>
}
