/** One thing that the target gets, with the statements that make it. */
export interface MoveStep {
  /** `index public.posts_slug`: says to people what it is, and to a resumed move whether it has had it. */
  readonly title: string
  readonly sql: string
  /** Takes it back if it is there; for what must not be there while rows are stored. */
  readonly undo?: string
}
