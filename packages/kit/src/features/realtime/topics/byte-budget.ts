/** The maximum number of snapshot bytes that are cached, or that wait to be sent. */
export interface ByteBudget {
  readonly perCaller: number
  /** The maximum for all callers of this process together. */
  readonly perProcess: number
}
