import { CopyError } from "./copy-error.ts"
import type { CopyPlan } from "./copy-plan.ts"
import { readSequences, writeSequences } from "./copy-sequences.ts"
import type { CopyStep } from "./copy-step.ts"
import type { CopyContext } from "./copy-table.ts"
import { inTransaction, run } from "./in-transaction.ts"

/**
 * Creates the objects that must be created after all rows are copied, such as indexes and foreign keys, and sets the
 * sequences.
 */
export async function finishCopy(ctx: CopyContext, plan: CopyPlan, onStep: (title: string) => void): Promise<void> {
  const left: CopyStep[] = []
  for (const step of plan.after) if (!(await ctx.journal.hasStep(step.title))) left.push(step)
  await build(ctx, left, onStep)
  onStep("statistics for the planner")
  for (const { name } of plan.tables) await run(ctx.target, `analyze ${name}`)
  await writeSequences(ctx.target, await readSequences(ctx.source, plan.schemas))
}

// Runs the steps in rounds, because a view may depend on a later view. Failed steps are retried for as long as at least
// one step succeeds in each round.
async function build(ctx: CopyContext, steps: readonly CopyStep[], onStep: (title: string) => void): Promise<void> {
  const failures = new Map<CopyStep, unknown>()
  for (const step of steps) {
    onStep(step.title)
    await buildStep(ctx, step).catch((error: unknown) => failures.set(step, error))
  }
  const [first] = failures
  if (first === undefined) return
  const [step, cause] = first
  if (failures.size < steps.length) return build(ctx, [...failures.keys()], onStep)
  throw new CopyError(
    `The target cannot take ${step.title}: ${messageOf(cause)}. Fix that and run kit db move again.`,
    { cause },
  )
}

async function buildStep({ target, journal }: CopyContext, { title, sql }: CopyStep): Promise<void> {
  await inTransaction(target, async () => {
    await run(target, sql)
    await journal.saveStep(title)
  })
}

/**
 * Drops the foreign keys, triggers and views that an earlier run has already created in the target. Foreign keys would
 * block a truncate, triggers would change copied rows, and materialized views would keep old rows. All of them are
 * created again at the end of the copy.
 */
export async function undoFinish({ target, journal }: CopyContext, { after }: CopyPlan): Promise<void> {
  await inTransaction(target, async () => {
    for (const { title, undo } of after) {
      if (undo === undefined) continue
      await run(target, undo)
      await journal.deleteStep(title)
    }
  })
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
