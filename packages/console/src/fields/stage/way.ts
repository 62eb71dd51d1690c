import type { CollectionSchema, GlobalSchema } from "kit/client"

type Stages = NonNullable<CollectionSchema["workflow"]>["stages"]

/** The way of a record to the public: its stages, as far as they lie on the shortest path to the public one. */
export interface Way {
  readonly stages: readonly string[]
  readonly publicStage: string
}

/** Returns the way of the records of a collection, or null if they have no stages. */
export function wayOf({
  options,
  workflow,
}: Pick<CollectionSchema | GlobalSchema, "options" | "workflow">): Way | null {
  if (!options.workflow.enabled || workflow === null) return null
  const { initialStage, publicStage } = options.workflow
  const from = initialStage ?? workflow.stages[0]?.name ?? publicStage
  return { stages: shortestPath(workflow.stages, from, publicStage), publicStage }
}

/** Returns the stages of the shortest path; both ends alone if the person may not know a path between them. */
function shortestPath(stages: Stages, from: string, to: string): readonly string[] {
  let paths = [[from]]
  const seen = new Set([from])
  while (paths.length > 0) {
    const found = paths.find((path) => path.at(-1) === to)
    if (found) return found
    paths = paths.flatMap((path) => {
      const next = stages.find(({ name }) => name === path.at(-1))?.transitions ?? []
      const open = next.filter((name) => !seen.has(name))
      for (const name of open) seen.add(name)
      return open.map((name) => [...path, name])
    })
  }
  return from === to ? [to] : [from, to]
}
