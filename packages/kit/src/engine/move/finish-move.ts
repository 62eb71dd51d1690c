import type { CopyContext } from "./copy-table.ts"
import { inTransaction, run } from "./in-transaction.ts"
import { MoveError } from "./move-error.ts"
import type { MovePlan } from "./move-plan.ts"
import { moveSequences } from "./move-sequences.ts"
import type { MoveStep } from "./move-step.ts"

/** Builds what comes after the rows, and lets the sequences go on where they were. */
export async function finishMove(ctx: CopyContext, plan: MovePlan, onStep: (title: string) => void): Promise<void> {
  const left: MoveStep[] = []
  for (const step of plan.after) if (!(await ctx.journal.hasStep(step.title))) left.push(step)
  await build(ctx, left, onStep)
  onStep("statistics for the planner")
  for (const { name } of plan.tables) await run(ctx.target, `analyze ${name}`)
  await moveSequences(ctx.source, ctx.target, plan.schemas)
}

// A view may need another one that comes later: who fails has another turn, as long as anything succeeds.
async function build(ctx: CopyContext, steps: readonly MoveStep[], onStep: (title: string) => void): Promise<void> {
  const failures = new Map<MoveStep, unknown>()
  for (const step of steps) {
    onStep(step.title)
    await buildStep(ctx, step).catch((error: unknown) => failures.set(step, error))
  }
  const [first] = failures
  if (first === undefined) return
  const [step, cause] = first
  if (failures.size < steps.length) return build(ctx, [...failures.keys()], onStep)
  throw new MoveError(`The target cannot take ${step.title}: ${messageOf(cause)}. Mend that and run the move again.`, {
    cause,
  })
}

async function buildStep({ target, journal }: CopyContext, { title, sql }: MoveStep): Promise<void> {
  await inTransaction(target, async () => {
    await run(target, sql)
    await journal.noteStep(title)
  })
}

/**
 * Makes room for rows in a target that an earlier run has begun to finish: no key refuses to empty a table, no trigger
 * changes what is stored, and no view keeps what it has read. All of it is built again.
 */
export async function unfinishMove({ target, journal }: CopyContext, { after }: MovePlan): Promise<void> {
  await inTransaction(target, async () => {
    for (const { title, undo } of after) {
      if (undo === undefined) continue
      await run(target, undo)
      await journal.forgetStep(title)
    }
  })
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
