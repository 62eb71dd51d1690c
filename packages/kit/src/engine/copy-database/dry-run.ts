import type { BulkSession } from "../../ports/bulk-session.ts"
import type { DatabaseError } from "../../ports/database.ts"
import { CopyError } from "./copy-error.ts"
import type { CopyPlan } from "./copy-plan.ts"
import type { CopyStep } from "./copy-step.ts"
import { run } from "./in-transaction.ts"

/**
 * Creates all objects of the plan in the target database, without rows, and then rolls the transaction back. If the
 * target cannot create an object, the copy fails now instead of after hours of copying. Returns the plan with its steps
 * sorted by their dependencies.
 */
export async function dryRun(target: BulkSession, plan: CopyPlan): Promise<CopyPlan> {
  await run(target, "begin")
  try {
    const before = await makeAll(target, [...plan.before, ...plan.tables.map(({ create }) => create)])
    const after = await makeAll(target, plan.after)
    return { ...plan, before, after }
  } finally {
    await run(target, "rollback").catch(() => {})
  }
}

/** Creates objects in an open transaction, in the order of their dependencies. Returns the steps in that order. */
export async function makeAll(target: BulkSession, steps: readonly CopyStep[]): Promise<readonly CopyStep[]> {
  const ordered: CopyStep[] = []
  for (let left = steps; left.length > 0; ) {
    const failed = await makeRound(target, left)
    const [first] = failed
    if (first !== undefined && failed.length === left.length) throw cannotMake(first)
    const put = new Set(failed.map(({ step }) => step))
    ordered.push(...left.filter((step) => !put.has(step)))
    left = failed.map(({ step }) => step)
  }
  return ordered
}

interface FailedStep {
  readonly step: CopyStep
  readonly error: unknown
}

// Runs each step once. A step that depends on a later step fails, and is tried again in the next round.
async function makeRound(target: BulkSession, steps: readonly CopyStep[]): Promise<readonly FailedStep[]> {
  const failed: FailedStep[] = []
  for (const step of steps) {
    try {
      await run(target, `savepoint step; ${step.sql}; release savepoint step`)
    } catch (error) {
      await run(target, "rollback to savepoint step")
      failed.push({ step, error })
    }
  }
  return failed
}

const INSUFFICIENT_PRIVILEGE = "42501"

function cannotMake({ step, error }: FailedStep): CopyError {
  // The cast is safe: `code` and `message` are optional in the type, because only errors from the driver have a code.
  const { code, message } = error as Partial<DatabaseError>
  const advice =
    code === INSUFFICIENT_PRIVILEGE
      ? "Give the role of the URL the right to create there, or make it the owner of the database."
      : "Nothing was copied."
  return new CopyError(`The target cannot take ${step.title}: ${message}. ${advice}`, { cause: error })
}
