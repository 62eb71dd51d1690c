/** One object that is created in the target, with its statements. */
export interface CopyStep {
  /** Such as `index public.posts_slug`: shown to the user, and the key under which the journal records the step. */
  readonly title: string
  readonly sql: string
  /** Drops the object if it exists. Set for objects that must not exist while rows are copied. */
  readonly undo?: string
}
