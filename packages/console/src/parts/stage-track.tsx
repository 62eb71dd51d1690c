import type { Way } from "../fields/stage/way.ts"

interface StageTrackProps {
  readonly way: Way
  readonly stage: string
  /** The label of the stage. */
  readonly label: string
}

/** Where a record is on its way to the public stage. A stage that is not on the way is drawn empty, with its word. */
export function StageTrack({ way, stage, label }: StageTrackProps) {
  const place = way.stages.indexOf(stage)
  return (
    <span className={stage === way.publicStage ? "track public" : "track"}>
      <i aria-hidden>
        {way.stages.map((name, index) => (
          <b key={name} className={index <= place ? "passed" : undefined} />
        ))}
      </i>
      {label}
    </span>
  )
}
