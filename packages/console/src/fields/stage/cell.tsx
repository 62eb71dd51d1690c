import type { PartSchema } from "kit/client"
import { PenLine } from "lucide-react"
import { Icon } from "../../parts/icon.tsx"
import { NoValue } from "../../parts/no-value.tsx"
import { useWords } from "../../words/words.ts"
import type { Way } from "./way.ts"

interface StageTrackProps {
  /** The field of the stage, whose options are the stages. */
  readonly part: PartSchema
  readonly way: Way
  readonly stage: unknown
  /** True if the record differs from what is public. */
  readonly isChanged: boolean
}

/** A stage as a place on a way: ▰▰▱ In review. A stage that is not on the way is drawn empty, with its word. */
export function StageTrack({ part, way, stage, isChanged }: StageTrackProps) {
  const words = useWords("values")
  if (typeof stage !== "string") return <NoValue />
  const reached = way.stages.indexOf(stage)
  const isPublic = stage === way.publicStage
  return (
    <span className={isPublic ? "track public" : "track"}>
      <i aria-hidden>
        {way.stages.map((each, place) => (
          <b key={each} className={place <= reached ? "passed" : undefined} />
        ))}
      </i>
      <span className="track-word cut">{part.options?.find(({ value }) => value === stage)?.label ?? stage}</span>
      {isPublic && isChanged && (
        <span className="changed-since" title={words.changedSince}>
          <Icon of={PenLine} />
          <span className="visually-hidden">{words.changedSince}</span>
        </span>
      )}
    </span>
  )
}
