/** A call of the client: the names that lead to the operation, and what it is called with. */
export interface CodeCall {
  /** Such as `["collections", "articles", "find"]`. */
  readonly path: readonly string[]
  readonly args: readonly unknown[]
}

/** The purpose of a call on a screen. Each has its words. */
export type CodePurpose = "find" | "groups" | "count" | "read" | "update" | "create" | "session" | "people"

/** A call that a screen makes, or would make next. */
export interface CodeExample {
  readonly purpose: CodePurpose
  readonly call: CodeCall
  /** The language that the call is for, if there is a call for each of several ones. */
  readonly locale?: string
}
