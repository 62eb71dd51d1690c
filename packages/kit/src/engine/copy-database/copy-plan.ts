import { createHash } from "node:crypto"
import type { BulkSession } from "../../ports/bulk-session.ts"
import { readStepsAfter, readStepsBefore } from "./catalog-steps.ts"
import { type CopiedTable, readTables } from "./copied-tables.ts"
import { CopyError } from "./copy-error.ts"
import type { CopyStep } from "./copy-step.ts"
import { findUncopyable } from "./uncopyable.ts"

/**
 * Everything that a copy creates in the target database: first the steps `before`, then `tables`, then the steps
 * `after`.
 */
export interface CopyPlan {
  readonly schemas: readonly string[]
  readonly before: readonly CopyStep[]
  readonly tables: readonly CopiedTable[]
  readonly after: readonly CopyStep[]
  /** A hash of all steps. Two databases have the same fingerprint if all their objects are defined in the same way. */
  readonly fingerprint: string
}

const MAX_NAMED = 10

/** Reads the definitions of the source database's objects. Throws if the source has objects that a copy would lose. */
export async function planCopy(source: BulkSession, schemas: readonly string[]): Promise<CopyPlan> {
  refuse(await findUncopyable(source, schemas))
  const before = await readStepsBefore(source, schemas)
  const tables = await readTables(source, schemas)
  const after = await readStepsAfter(source, schemas)
  const steps = [...before, ...tables.map(({ create }) => create), ...after]
  const fingerprint = createHash("sha256").update(JSON.stringify(steps)).digest("hex")
  return { schemas, before, tables, after, fingerprint }
}

/** Returns up to ten names as one string, followed by the number of the remaining names. */
export function namesOf(found: readonly string[]): string {
  const more = found.length - MAX_NAMED
  return more > 0 ? `${found.slice(0, MAX_NAMED).join(", ")} and ${more} more` : found.join(", ")
}

function refuse(uncopyable: readonly string[]): void {
  if (uncopyable.length === 0) return
  throw new CopyError(
    `The database holds what kit cannot copy: ${namesOf(uncopyable)}. ` +
      "Use pg_dump and pg_restore, or leave its schema out by naming the others with --schema.",
  )
}
