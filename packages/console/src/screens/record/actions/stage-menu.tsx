import { ChevronDown, Clock } from "lucide-react"
import { Suspense, useState } from "react"
import { timeText } from "../../../fields/value-text.tsx"
import { useFieldState, useForm } from "../../../form/form-context.ts"
import { Icon } from "../../../parts/icon.tsx"
import { loadable } from "../../../parts/loadable.tsx"
import { Menu, type MenuItem } from "../../../parts/menu.tsx"
import { StageTrack } from "../../../parts/stage-track.tsx"
import { useWords } from "../../../words/words.ts"
import type { StageMoves } from "./use-stage-moves.ts"

const ScheduleDialog = loadable(async () => (await import("./schedule-dialog.tsx")).ScheduleDialog)

/** The way of the record to its readers, and a menu of the moves that the person may make. */
export function StageMenu({ moves }: { readonly moves: StageMoves }) {
  const words = useWords("record")
  const { store } = useForm()
  const isUnsaved = useFieldState(null, () => store.editCount() > 0)
  const [scheduledStage, setScheduledStage] = useState<string>()
  const { way, stage, pending, targets, labelOf, changedSince } = moves
  if (way === null || stage === null) return null
  const track = (
    <>
      <StageTrack way={way} stage={stage} label={labelOf(stage)} />
      {changedSince && <span className="changed-line">{words.changedSince}</span>}
      {pending && (
        <span className="pending-move">
          <Icon of={Clock} />
          <span className="on-desk">{words.scheduled(labelOf(pending.stage), timeText(pending.scheduledAt))}</span>
        </span>
      )}
    </>
  )
  if (targets.length === 0 && pending === null) return <span className="stage-place">{track}</span>
  const hint = isUnsaved ? { hint: words.savesFirst } : {}
  const items: MenuItem[] = [
    ...targets.map((target) => ({ id: `now:${target}`, label: moves.actionOf(target), ...hint })),
    ...targets.map((target) => ({
      id: `later:${target}`,
      label: words.scheduleTo(labelOf(target)),
      group: words.later,
    })),
    ...(pending ? [{ id: "cancel", label: words.cancelScheduled(labelOf(pending.stage)), group: words.later }] : []),
  ]
  return (
    <span className="stage-place">
      <Menu
        label={`${words.stage}: ${labelOf(stage)}`}
        look="quiet"
        items={items}
        onAction={(id) => {
          const [kind, target = ""] = id.split(/:(.*)/s)
          if (kind === "cancel") void moves.cancel()
          else if (kind === "later") setScheduledStage(target)
          else void moves.move(target)
        }}
      >
        {track}
        <Icon of={ChevronDown} />
      </Menu>
      {scheduledStage !== undefined && (
        <Suspense>
          <ScheduleDialog
            stage={labelOf(scheduledStage)}
            onClose={() => setScheduledStage(undefined)}
            onSchedule={(time) => {
              setScheduledStage(undefined)
              void moves.move(scheduledStage, time)
            }}
          />
        </Suspense>
      )}
    </span>
  )
}
