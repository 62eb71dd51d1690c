/** The step that creates one object, such as an index, in the target database. */
export interface CopyStep {
  /** A title such as `index public.posts_slug`. It is shown to the user, and the journal records the step under it. */
  readonly title: string
  readonly sql: string
  /** A statement that drops the object if it exists. Set only for objects that must not exist while rows are copied. */
  readonly undo?: string
}
