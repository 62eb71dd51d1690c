import type { ResourceSchema } from "../kit/descriptions.ts"

type Workflow = Extract<ResourceSchema["options"]["workflow"], { enabled: true }>

/** Where a record is on its way to the public stage. */
export function StageTrack({ workflow, stage }: { readonly workflow: Workflow; readonly stage: string }) {
  const way = wayToPublic(workflow)
  const place = way.indexOf(stage)
  const label = workflow.stages.find(({ name }) => name === stage)?.label ?? stage
  return (
    <span className={stage === workflow.publicStage ? "track public" : "track"}>
      <i aria-hidden>
        {way.map((name, index) => (
          <b key={name} className={index <= place ? "passed" : undefined} />
        ))}
      </i>
      {label}
    </span>
  )
}

/** Returns the stages of the shortest way from the initial to the public stage. Other stages are not on it. */
export function wayToPublic({ initialStage, publicStage, stages }: Workflow): readonly string[] {
  const start = initialStage ?? stages[0]?.name ?? publicStage
  let ways: string[][] = [[start]]
  const seen = new Set([start])
  while (ways.length > 0) {
    const arrived = ways.find((way) => way.at(-1) === publicStage)
    if (arrived) return arrived
    ways = ways.flatMap((way) => {
      const next = stages.find(({ name }) => name === way.at(-1))?.transitions.filter((name) => !seen.has(name)) ?? []
      for (const name of next) seen.add(name)
      return next.map((name) => [...way, name])
    })
  }
  return [start, publicStage]
}
