export interface PublishOptions {
  /** The earliest start of the job, as a time or as a number of seconds from now. */
  readonly startAfter?: Date | number
  /**
   * Allows only one waiting job of this kind with this key. Publishing a second one returns the id of the waiting job.
   */
  readonly singletonKey?: string
  /** The job's priority; the priority in the job's declaration unless set. Jobs with a higher priority run first. */
  readonly priority?: number
}

export interface PublishedJob {
  readonly id: string
}

/** Publishes jobs of one kind. Generated code supplies the type of their payload. */
export interface JobPublisher<Declared extends { readonly given: unknown }> {
  /**
   * Stores the job, which then waits for a worker. Published inside a transaction, it runs only if the transaction
   * commits.
   *
   * await queue.notifyTeam.publish({ articleId }, { startAfter: 60 })
   */
  publish(payload: Declared["given"], options?: PublishOptions): Promise<PublishedJob>
}
