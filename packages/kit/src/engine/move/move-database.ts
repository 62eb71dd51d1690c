import type { BulkSession } from "../../ports/bulk-session.ts"
import { type CopyContext, copyRows, forgetRows } from "./copy-table.ts"
import { finishMove, unfinishMove } from "./finish-move.ts"
import type { MovedTable } from "./found-tables.ts"
import { inTransaction, run } from "./in-transaction.ts"
import { MoveError } from "./move-error.ts"
import { type MoveHead, MoveJournal } from "./move-journal.ts"
import { type MovePlan, namesOf, planMove } from "./move-plan.ts"
import { readSchemas } from "./move-scope.ts"
import { rehearse } from "./rehearse.ts"
import { applySettings } from "./session-settings.ts"
import { holdSource, readOtherSessions } from "./source-hold.ts"
import { compareTable, type TableComparison } from "./table-checksum.ts"
import { checkTarget, holdTarget, readIdentity, readSorting, refuseFilled } from "./target-check.ts"

/** A progress report of a running copy. */
export type MoveEvent =
  | { readonly kind: "resumed" }
  | { readonly kind: "already finished" }
  | { readonly kind: "rows"; readonly table: string; readonly rows: number; readonly share: number }
  | { readonly kind: "comparing"; readonly table: string }
  | { readonly kind: "building"; readonly title: string }

export interface MoveOptions {
  readonly source: BulkSession
  readonly target: BulkSession
  /** The schemas to copy; all if empty. */
  readonly schemas: readonly string[]
  /** Continue even if other sessions are connected to the source. */
  readonly allowOthers: boolean
  onEvent(event: MoveEvent): void
}

export interface MoveReport {
  readonly tables: readonly TableComparison[]
  readonly isEqual: boolean
  /** The copy was finished by an earlier run, so this run only compared both databases. */
  readonly wasFinished: boolean
  /** Warnings for the user. */
  readonly warnings: readonly string[]
}

/**
 * Copies a database into another one, or resumes an interrupted copy, and compares both. The source is not changed.
 * If an earlier run finished the copy, both databases are only compared again.
 */
export async function moveDatabase(options: MoveOptions): Promise<MoveReport> {
  const { source, target } = options
  const homes = { source: await readHome(source), target: await readHome(target) }
  await applySettings(source)
  await applySettings(target)
  await checkTarget(source, target)
  await holdTarget(target)
  if (!options.allowOthers) refuseOthers(await readOtherSessions(source))
  const schemas = await readSchemas(source, options.schemas)
  await holdSource(source, schemas)
  await refuseHalf(source)
  const plan = await planMove(source, schemas)
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
    await finishMove(ctx, plan, (title) => options.onEvent({ kind: "building", title }))
    await journal.saveHead({ ...head, isFinished: true })
  }
  return { tables, isEqual, wasFinished: head?.isFinished === true, warnings: await notesOf(options, homes) }
}

/** The current schema of each database, in which new tables are created. */
interface Homes {
  readonly source: string
  readonly target: string
}

// Must run before `applySettings`, which empties the search_path.
async function readHome(session: BulkSession): Promise<string> {
  const { rows } = await session.query({ text: "select coalesce(current_schema()::text, 'public')", values: [] })
  return String(rows[0]?.[0])
}

function refuseOthers(sessions: readonly string[]): void {
  if (sessions.length === 0) return
  throw new MoveError(
    `Other sessions are connected to the database: ${sessions.join(", ")}. Stop the app: its writes after the copy would ` +
      "be missing in the target. If they only read, pass --allow-others; writes then wait until the copy is done.",
  )
}

async function refuseHalf(source: BulkSession): Promise<void> {
  const head = await (await MoveJournal.find(source))?.head()
  if (head === undefined || head.isFinished) return
  throw new MoveError("The source is itself the target of a copy that was not finished. Finish that one first.")
}

async function openJournal(
  { source, target, onEvent }: MoveOptions,
  plan: MovePlan,
  home: string,
): Promise<MoveJournal> {
  const head = { source: await readIdentity(source), fingerprint: plan.fingerprint, isFinished: false }
  const found = await MoveJournal.find(target)
  const known = await found?.head()
  if (found === undefined || known === undefined) return beginMove(target, { plan, head, home })
  refuseOtherMove(known, head)
  onEvent({ kind: known.isFinished ? "already finished" : "resumed" })
  return found
}

interface NewMove {
  readonly plan: MovePlan
  readonly head: MoveHead
  readonly home: string
}

// One transaction creates the tables and the journal that records them.
async function beginMove(target: BulkSession, { plan, head, home }: NewMove): Promise<MoveJournal> {
  await refuseFilled(target, plan.schemas)
  const { before } = await rehearse(target, plan)
  return inTransaction(target, async () => {
    for (const step of before) await run(target, step.sql)
    const journal = await MoveJournal.create(target, home)
    await journal.saveHead(head)
    return journal
  })
}

function refuseOtherMove(known: MoveHead, head: MoveHead): void {
  if (known.source !== head.source) {
    throw new MoveError("The target holds a copy of another database. Use an empty database.")
  }
  if (known.fingerprint === head.fingerprint) return
  throw new MoveError(
    known.isFinished
      ? "The app's database was copied there before, and its tables have changed since. Use an empty database."
      : "The tables of the app have changed since this copy began. Start again with an empty database.",
  )
}

async function copyAll(ctx: CopyContext, options: MoveOptions, plan: MovePlan): Promise<TableComparison[]> {
  const comparisons: TableComparison[] = []
  for (const table of plan.tables) comparisons.push(await copyTable(ctx, options, { plan, table }))
  return comparisons
}

// The source may have changed since an earlier run copied the table. If both differ, the table is copied again.
async function copyTable(
  ctx: CopyContext,
  options: MoveOptions,
  { plan, table }: { readonly plan: MovePlan; readonly table: MovedTable },
): Promise<TableComparison> {
  const isResumed = (await ctx.journal.progressOf(table.name)) !== undefined
  await copyRows(ctx, table)
  const comparison = await compare(options, table)
  if (comparison.isEqual || !isResumed) return comparison
  await unfinishMove(ctx, plan)
  await forgetRows(ctx, table)
  await copyRows(ctx, table)
  return compare(options, table)
}

async function compareAll(options: MoveOptions, { tables }: MovePlan): Promise<TableComparison[]> {
  const comparisons: TableComparison[] = []
  for (const table of tables) comparisons.push(await compare(options, table))
  return comparisons
}

function compare(options: MoveOptions, table: MovedTable): Promise<TableComparison> {
  options.onEvent({ kind: "comparing", table: table.name })
  return compareTable(options, table)
}

function reportRows({ onEvent }: MoveOptions, table: MovedTable, progress: { rows: number; nextBlock: number }): void {
  const share = table.blocks === 0 ? 1 : Math.min(1, progress.nextBlock / table.blocks)
  onEvent({ kind: "rows", table: table.name, rows: progress.rows, share })
}

async function notesOf({ source, target }: MoveOptions, homes: Homes): Promise<readonly string[]> {
  const [here, there] = [await readSorting(source), await readSorting(target)]
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
