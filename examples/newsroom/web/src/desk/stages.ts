export const STAGES = ["draft", "review", "published"] as const

export type Stage = (typeof STAGES)[number]

/** The initial stage. A read that names it has the working copies, in whichever stage an article is. */
export const WORKING_COPY = "draft"

/** The stages to which an article can move by hand, as the workflow in `src/collections/articles.ts` has them. */
const MOVES: Readonly<Record<Stage, readonly Stage[]>> = {
  draft: ["review"],
  review: ["draft", "published"],
  published: ["draft"],
}

/** Returns the stages to which this user may move an article: only editors publish, and withdraw what is published. */
export function movesFrom(stage: Stage, isEditor: boolean): readonly Stage[] {
  if (!isEditor && stage === "published") return []
  return MOVES[stage].filter((to) => isEditor || to !== "published")
}
