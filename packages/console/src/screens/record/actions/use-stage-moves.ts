import type { PendingTransition } from "kit/client"
import { useRead } from "kit/react-reads"
import { type Way, wayOf } from "../../../fields/stage/way.ts"
import { timeText } from "../../../fields/value-text.tsx"
import { collectionHandle, globalHandle } from "../../../kit/resources.ts"
import { useIsSignedIn } from "../../../kit/signed-in.ts"
import { confirm } from "../../../parts/dialog.tsx"
import type { Question } from "../../../parts/question.ts"
import { toast } from "../../../parts/toast.tsx"
import { useWords, type Words } from "../../../words/words.ts"
import type { RecordForm } from "../saving/use-record-form.ts"
import type { RecordRead } from "../use-record.ts"
import { titleOf } from "../use-title.ts"

/** The stage of a record, and the moves that the person may make. */
export interface StageMoves {
  /** Null without stages. */
  readonly way: Way | null
  readonly stage: string | null
  readonly targets: readonly string[]
  /** The next stage on the way to the readers, if the person may move the record there. */
  readonly next: string | null
  readonly pending: PendingTransition | null
  /** True if readers see an older copy than the one that is edited here. */
  readonly changedSince: boolean
  readonly labelOf: (stage: string) => string
  /** Names a move to the stage. */
  readonly actionOf: (stage: string) => string
  /** Moves the record now or at a time, after its edits have been saved. */
  readonly move: (stage: string, time?: Date) => Promise<void>
  readonly cancel: () => Promise<void>
}

interface StageMovesInput {
  readonly recordForm: RecordForm
  readonly read: RecordRead
}

export function useStageMoves({ recordForm, read }: StageMovesInput): StageMoves {
  const words = useWords("record")
  const { form, operations, save } = recordForm
  const { options } = form.resource
  const workflow = options.workflow.enabled ? options.workflow : null
  const way = wayOf(form.resource)
  const stageOfRecord = read.record?.["stage"]
  const stage = typeof stageOfRecord === "string" ? stageOfRecord : (workflow?.initialStage ?? null)
  const changed = read.record?.["changedSincePublished"]
  // A published record is published again only if there is something new to publish.
  const targets = (read.isPublicCopy ? [] : (read.rights?.transitions ?? [])).filter(
    (target) => target !== stage || changed === true,
  )
  const pending = usePendingMove(recordForm, useIsSignedIn() && targets.length > 0)
  const labelOf = (name: string) => workflow?.stages.find((one) => one.name === name)?.label ?? name
  // The initial stage withdraws the record from its readers, if it has any.
  const isWithdrawal = (target: string) => target === workflow?.initialStage && typeof changed === "boolean"

  async function move(target: string, time?: Date): Promise<void> {
    if (isWithdrawal(target) && !(await confirm(withdrawal(titleOf(recordForm, words), time, words)))) return
    if (form.store.editCount() > 0 && (await save()) === null) return
    await report(words.moveFailed, async () => {
      await operations.move(target, time)
      if (time === undefined) toast({ text: words.moved(labelOf(target)) })
      pending.refetch()
      read.rereadRights()
    })
  }

  return {
    way,
    stage,
    targets,
    next: way === null || stage === null ? null : nextOnWay({ way, stage, targets, changed }),
    pending: pending.data,
    changedSince: changed === true,
    labelOf,
    actionOf: (target) => {
      if (isWithdrawal(target)) return words.withdraw
      return target === stage && target === workflow?.publicStage ? words.publishChanges : words.moveTo(labelOf(target))
    },
    move,
    cancel: () =>
      report(words.moveFailed, async () => {
        await operations.cancelMove()
        toast({ text: words.cancelled })
        pending.refetch()
      }),
  }
}

/** Returns the question before a record is taken from its readers, now or at a time. */
function withdrawal(title: string, time: Date | undefined, words: Words["record"]): Question {
  if (time === undefined) {
    return { title: words.withdrawTitle(title), text: words.withdrawText, action: words.withdraw, danger: true }
  }
  const asked = words.withdrawLaterTitle(title, timeText(time))
  return { title: asked, text: words.withdrawLaterText, action: words.schedule, danger: true }
}

interface NextStage {
  readonly way: Way
  readonly stage: string
  readonly targets: readonly string[]
  readonly changed: unknown
}

function nextOnWay({ way, stage, targets, changed }: NextStage): string | null {
  const further = way.stages[way.stages.indexOf(stage) + 1]
  const next = stage === way.publicStage ? (changed === true ? stage : undefined) : further
  return next !== undefined && targets.includes(next) ? next : null
}

function usePendingMove({ place }: RecordForm, mayMove: boolean) {
  const id = place.kind === "collection" ? place.id : null
  const ofRecord = useRead(collectionHandle(place.name).findTransition, mayMove && id !== null ? { id } : null)
  const ofGlobal = useRead(globalHandle(place.name).findTransition, mayMove && place.kind === "global" ? {} : null)
  const { data, refetch } = place.kind === "global" ? ofGlobal : ofRecord
  return { data: data ?? null, refetch: () => void refetch?.() }
}

async function report(failure: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    toast({ text: `${failure}: ${error instanceof Error ? error.message : String(error)}` })
  }
}
