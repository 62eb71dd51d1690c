import type { BulkSession } from "../../ports/bulk-session.ts"
import type { CopiedTable } from "./copied-tables.ts"
import { CopyError } from "./copy-error.ts"
import { type CopyHead, CopyJournal, refuseUnfinishedSource } from "./copy-journal.ts"
import { type CopyPlan, namesOf, planCopy } from "./copy-plan.ts"
import { readSchemas } from "./copy-scope.ts"
import { type CopyContext, copyRows, truncateTable } from "./copy-table.ts"
import { dryRun } from "./dry-run.ts"
import { finishCopy, undoFinish } from "./finish-copy.ts"
import { inTransaction, run } from "./in-transaction.ts"
import { applySettings, readCurrentSchema } from "./session-settings.ts"
import { lockSource, readOtherSessions } from "./source-lock.ts"
import { compareTable, type TableComparison } from "./table-checksum.ts"
import { checkTarget, lockTarget, readCollation, readIdentity, refuseNonEmpty } from "./target-check.ts"

/** A progress report of a running database copy. */
export type CopyEvent =
  | { readonly kind: "resumed" }
  | { readonly kind: "already finished" }
  | { readonly kind: "rows"; readonly table: string; readonly rows: number; readonly share: number }
  | { readonly kind: "comparing"; readonly table: string }
  | { readonly kind: "building"; readonly title: string }

interface CopyOptions {
  readonly source: BulkSession
  readonly target: BulkSession
  /** The PostgreSQL schemas to copy. An empty list means all schemas. */
  readonly schemas: readonly string[]
  /** True if the copy may run while other sessions are connected to the source database. */
  readonly allowOthers: boolean
  onEvent(event: CopyEvent): void
}

export interface CopyReport {
  readonly tables: readonly TableComparison[]
  readonly isEqual: boolean
  /** True if an earlier run had already finished the copy, so that this run only compared the two databases. */
  readonly wasFinished: boolean
  /** Warnings for the user. */
  readonly warnings: readonly string[]
}

/**
 * Copies the source database into the target database, or resumes an interrupted copy, and compares the two. The source
 * is not changed. If an earlier run finished the copy, the two databases are only compared again.
 */
export async function copyDatabase(options: CopyOptions): Promise<CopyReport> {
  const { source, target } = options
  const homes = { source: await readCurrentSchema(source), target: await readCurrentSchema(target) }
  await applySettings(source)
  await applySettings(target)
  await checkTarget(source, target)
  await lockTarget(target)
  if (!options.allowOthers) refuseOtherSessions(await readOtherSessions(source))
  const schemas = await readSchemas(source, options.schemas)
  await lockSource(source, schemas)
  await refuseUnfinishedSource(source)
  const plan = await planCopy(source, schemas)
  const journal = await openJournal(options, plan, homes.target)
  const ctx: CopyContext = {
    source,
    target,
    journal,
    onRows: (table, progress) => reportRows(options, table, progress),
  }
  const head = await journal.head()
  const tables = head?.isFinished ? await compareAll(options, plan) : await copyAll(ctx, options, plan)
  const isEqual = tables.every((table) => table.isEqual)
  if (isEqual && head?.isFinished === false) {
    await finishCopy(ctx, plan, (title) => options.onEvent({ kind: "building", title }))
    await journal.saveHead({ ...head, isFinished: true })
  }
  return { tables, isEqual, wasFinished: head?.isFinished === true, warnings: await warningsOf(options, homes) }
}

/** For each of the two databases, the current PostgreSQL schema, in which new tables are created. */
interface CurrentSchemas {
  readonly source: string
  readonly target: string
}

function refuseOtherSessions(sessions: readonly string[]): void {
  if (sessions.length === 0) return
  throw new CopyError(
    `Other sessions are connected to the database: ${sessions.join(", ")}. Stop the app: its writes after the copy would ` +
      "be missing in the target. If they only read, pass --allow-others; writes then wait until the copy is done.",
  )
}

async function openJournal(
  { source, target, onEvent }: CopyOptions,
  plan: CopyPlan,
  schema: string,
): Promise<CopyJournal> {
  const head = { source: await readIdentity(source), fingerprint: plan.fingerprint, isFinished: false }
  const found = await CopyJournal.find(target)
  const known = await found?.head()
  if (found === undefined || known === undefined) return beginCopy(target, { plan, head, schema })
  refuseOtherCopy(known, head)
  onEvent({ kind: known.isFinished ? "already finished" : "resumed" })
  return found
}

interface NewCopy {
  readonly plan: CopyPlan
  readonly head: CopyHead
  readonly schema: string
}

// Creates the target's tables and the journal of the copy. Both are created in one transaction, so that neither exists
// without the other.
async function beginCopy(target: BulkSession, { plan, head, schema }: NewCopy): Promise<CopyJournal> {
  await refuseNonEmpty(target, plan.schemas)
  const { before } = await dryRun(target, plan)
  return inTransaction(target, async () => {
    for (const step of before) await run(target, step.sql)
    const journal = await CopyJournal.create(target, schema)
    await journal.saveHead(head)
    return journal
  })
}

function refuseOtherCopy(known: CopyHead, head: CopyHead): void {
  if (known.source !== head.source) {
    throw new CopyError("The target holds a copy of another database. Use an empty database.")
  }
  if (known.fingerprint === head.fingerprint) return
  throw new CopyError(
    known.isFinished
      ? "The app's database was copied there before, and its tables have changed since. Use an empty database."
      : "The tables of the app have changed since this copy began. Start again with an empty database.",
  )
}

async function copyAll(ctx: CopyContext, options: CopyOptions, plan: CopyPlan): Promise<TableComparison[]> {
  const comparisons: TableComparison[] = []
  for (const table of plan.tables) comparisons.push(await copyTable(ctx, options, { plan, table }))
  return comparisons
}

// Copies the rows of a table, and compares source and target. If the two differ after a resumed copy, the table is
// copied again, because the source may have changed since the earlier run.
async function copyTable(
  ctx: CopyContext,
  options: CopyOptions,
  { plan, table }: { readonly plan: CopyPlan; readonly table: CopiedTable },
): Promise<TableComparison> {
  const isResumed = (await ctx.journal.progressOf(table.name)) !== undefined
  await copyRows(ctx, table)
  const comparison = await compare(options, table)
  if (comparison.isEqual || !isResumed) return comparison
  await undoFinish(ctx, plan)
  await truncateTable(ctx, table)
  await copyRows(ctx, table)
  return compare(options, table)
}

async function compareAll(options: CopyOptions, { tables }: CopyPlan): Promise<TableComparison[]> {
  const comparisons: TableComparison[] = []
  for (const table of tables) comparisons.push(await compare(options, table))
  return comparisons
}

function compare(options: CopyOptions, table: CopiedTable): Promise<TableComparison> {
  options.onEvent({ kind: "comparing", table: table.name })
  return compareTable(options, table)
}

function reportRows({ onEvent }: CopyOptions, table: CopiedTable, progress: { rows: number; nextBlock: number }): void {
  const share = table.blocks === 0 ? 1 : Math.min(1, progress.nextBlock / table.blocks)
  onEvent({ kind: "rows", table: table.name, rows: progress.rows, share })
}

async function warningsOf({ source, target }: CopyOptions, homes: CurrentSchemas): Promise<readonly string[]> {
  const [here, there] = [await readCollation(source), await readCollation(target)]
  const others = await readOtherSessions(source)
  const notes = [
    here !== there &&
      `text is sorted by ${there} in the target and by ${here} in the source: order and case may differ`,
    homes.source !== homes.target &&
      `the source's address leads to schema ${homes.source}, the target's to ${homes.target}: give it the same search_path`,
    others.length > 0 &&
      `connected to the source: ${namesOf(others)}; what is written there from now on is not in the target`,
  ]
  return notes.filter((note) => note !== false)
}
