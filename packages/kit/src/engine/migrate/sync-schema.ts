import type { Connection, Database, DatabaseError } from "../../ports/database.ts"
import type { Logger } from "../../ports/logger.ts"
import type { AppSchema } from "../../schema/compile/resource.ts"
import { repairReturnedStages } from "../../sql/read/returned-stages.ts"
import { diffSnapshots, isSameSchema } from "../../sql/tables/diff.ts"
import { isSearchColumn } from "../../sql/tables/search-ddl.ts"
import type { SchemaSnapshot } from "../../sql/tables/snapshot.ts"
import type { Step, StepKind } from "../../sql/tables/step.ts"
import { type Drift, findDrift } from "./find-drift.ts"
import { findViolations, refusalOf } from "./inspect-step.ts"
import { keptLocalized } from "./kept-localized.ts"
import { fieldsWithChangedLocale, findLocaleGaps } from "./locale-gaps.ts"
import { SchemaMismatchError } from "./schema-mismatch.ts"
import { changeSchema, storeSchema } from "./stored-schema.ts"
import { fillByDefault } from "./sync/fill-by-default.ts"
import { proposeRenames, type RenameProposal } from "./sync/rename-proposals.ts"
import { findVirtualProblems } from "./virtual-problems.ts"

/** The changes that a sync made, as strings for people to read. */
export interface SyncReport {
  readonly createdTables: readonly string[]
  readonly addedColumns: readonly string[]
  /** The names of unique indexes and foreign keys that were dropped, and of columns that became nullable. */
  readonly liftedConstraints: readonly string[]
  /** Descriptions of renamed tables and columns, of columns that got a wider type, and of replaced options. */
  readonly changes: readonly string[]
  /** The tables and columns that are no longer declared since this sync. The sync keeps their data. */
  readonly kept: readonly string[]
  /**
   * A sentence, with a remedy, for each change that may have been a rename, for each rename that is not possible, and for
   * each required value that records lack since this sync.
   */
  readonly warnings: readonly string[]
}

export const NOTHING_SYNCED: SyncReport = Object.freeze({
  createdTables: [],
  addedColumns: [],
  liftedConstraints: [],
  changes: [],
  kept: [],
  warnings: [],
})

/**
 * Brings the database to the schema. Creates missing tables and columns, and never drops or rewrites data, except for
 * options that the author has replaced. Drops constraints that the schema no longer has (not null, unique, foreign key).
 * Several instances may call it at the same time; they sync one at a time.
 */
export function syncSchema(database: Database, schema: AppSchema, logger?: Logger): Promise<SyncReport> {
  return changeSchema(database, (connection) => syncTables(connection, schema), logger)
}

/** Like `syncSchema`, in a transaction of the caller, who has prepared the framework's own tables. */
export async function syncTables(connection: Connection, schema: AppSchema): Promise<SyncReport> {
  const drift = await findDrift(connection, schema)
  if (drift.refusals.length > 0) throw new SchemaMismatchError(drift.refusals.join("\n"))
  const undeclared = findUndeclared(drift)
  await refuseUnmet(connection, drift.steps, undeclared)
  await runSteps(connection, schema, { ...drift, proposals: undeclared.proposals })
  await checkVirtuals(connection, schema)
  const withOtherDefault = drift.stored ? fieldsWithChangedLocale(drift.stored, drift.target) : []
  if (withOtherDefault.length > 0 || !isStored(drift)) await storeTarget(connection, drift)
  const proposals = undeclared.proposals.map(({ text }) => text)
  const gaps = await findLocaleGaps(connection, withOtherDefault)
  const warnings = [...proposals, ...drift.blockedRenames, ...gaps]
  return { ...reportOf(drift.steps), kept: undeclared.kept, warnings }
}

/** The changes of the declared schema since the last sync by which tables or columns are no longer declared. */
interface Undeclared {
  readonly kept: readonly string[]
  readonly proposals: readonly RenameProposal[]
}

function findUndeclared({ stored, target, hints }: Drift): Undeclared {
  if (stored === undefined) return { kept: [], proposals: [] }
  const { steps } = diffSnapshots(stored, target, hints)
  const kept = steps.filter(({ losesData }) => losesData).map(stepPath)
  return { kept, proposals: proposeRenames({ before: stored, after: target, steps }) }
}

interface PlannedSteps extends Pick<Drift, "steps" | "redeclared">, Pick<Undeclared, "proposals"> {}

async function runSteps(
  connection: Connection,
  schema: AppSchema,
  { steps, redeclared, proposals }: PlannedSteps,
): Promise<void> {
  const isLast = ({ kind }: Step) => kind === "create index" || kind === "add key"
  for (const step of steps.filter((each) => !isLast(each))) {
    await backfill(connection, schema, step)
    await runStep(connection, step, proposals)
  }
  // Repairs stage copies in tables that are declared again. It runs between the steps, when these tables have all
  // their columns, but not their foreign keys yet.
  for (const text of repairReturnedStages(schema, redeclared)) await connection.query({ text, values: [] })
  for (const step of steps.filter(isLast)) await runStep(connection, step, proposals)
}

function isStored({ stored, target }: Drift): boolean {
  return stored?.hasOptions === true && isSameSchema(stored, target)
}

async function storeTarget(connection: Connection, { stored, target, hints }: Drift): Promise<void> {
  const snapshot = {
    ...target,
    kept: keptLocalized({ stored, target, hints }),
    keptTables: stored ? keptTables(stored, target) : [],
  }
  await storeSchema(connection, { snapshot, source: "sync" })
}

// Returns the tables that the app no longer declares. Some of them may have been renamed or dropped, so that they no
// longer exist.
function keptTables(stored: SchemaSnapshot, target: SchemaSnapshot): readonly string[] {
  const declared = new Set(target.tables.map(({ name }) => name))
  const known = new Set([...(stored.keptTables ?? []), ...stored.tables.map(({ name }) => name)])
  return [...known].filter((name) => !declared.has(name) && !name.startsWith("_kit_"))
}

async function checkVirtuals(connection: Connection, schema: AppSchema): Promise<void> {
  const problems = await findVirtualProblems(connection, schema)
  if (problems.length > 0) throw new SchemaMismatchError(problems.join("\n"))
}

// Throws if the rows do not meet the preconditions of the steps. A step that drops a column is checked only in the sync
// that no longer finds the column declared: a sync keeps the column, so that every later sync has the step again.
async function refuseUnmet(
  connection: Connection,
  steps: readonly Step[],
  { kept, proposals }: Undeclared,
): Promise<void> {
  const unmet = new Set<string>()
  const isChecked = (step: Step) =>
    step.backfill === undefined && (step.loss === undefined || kept.includes(stepPath(step)))
  for (const step of steps.filter(isChecked)) {
    const violations = step.precondition && (await findViolations(connection, step.precondition))
    if (step.precondition === undefined || violations === undefined) continue
    unmet.add(refusalOf(step.precondition, violations))
    for (const text of proposalsFor(step, proposals)) unmet.add(text)
  }
  if (unmet.size > 0) throw new SchemaMismatchError([...unmet].join("\n"))
}

// Calls the default function of a field that becomes required for the rows that lack a value.
async function backfill(connection: Connection, { tables }: AppSchema, step: Step): Promise<void> {
  if (step.backfill === undefined) return
  const resource = tables.find(({ table }) => table === step.table)
  const field = resource?.columns.find(({ name }) => name === step.name)
  if (resource && field) await fillByDefault(connection, resource, field)
}

// A sync never loses data. If a step would lose some, the sync runs `loss.keep`, the variant that keeps the data.
async function runStep(connection: Connection, step: Step, proposals: readonly RenameProposal[]): Promise<void> {
  const { sql, loss, precondition } = step
  try {
    for (const text of loss?.keep ?? sql) await connection.query({ text, values: [] })
  } catch (cause) {
    // The cast is safe: all members are optional. Errors that do not come from the driver have no code and are
    // rethrown.
    const { code, detail } = cause as Partial<DatabaseError>
    if (precondition === undefined || !VIOLATIONS.includes(code)) throw cause
    const sentences = [refusalOf(precondition, detail), ...proposalsFor(step, proposals)]
    throw new SchemaMismatchError(sentences.join("\n"), { cause })
  }
}

// Returns the proposals of renames that may be the reason why the step cannot run.
function proposalsFor(step: Step, proposals: readonly RenameProposal[]): readonly string[] {
  const isOf = ({ candidates }: RenameProposal) =>
    candidates.some((name) => name === stepPath(step) || name === step.target)
  return proposals.filter(isOf).map(({ text }) => text)
}

// The error codes for a violated not-null, foreign key, unique or check constraint, and for a number out of range.
const VIOLATIONS: readonly unknown[] = ["23502", "23503", "23505", "23514", "22003"]

function reportOf(steps: readonly Step[]): SyncReport {
  const of = (...kinds: readonly StepKind[]) => steps.filter(({ kind }) => kinds.includes(kind))
  // A foreign key that is dropped and added in one sync is not reported: it was dropped only to change a column's type.
  const remade = new Set(of("add key").map(({ name }) => name))
  const lifted = of("drop unique", "drop key").filter(({ name }) => !remade.has(name))
  const released = steps.filter(({ kind, loss }) => kind === "release column" || (loss && loss.keep.length > 0))
  return {
    createdTables: of("create table").map(stepPath),
    addedColumns: of("add column")
      .filter(({ name = "" }) => !isSearchColumn(name))
      .map(stepPath),
    liftedConstraints: [...released.map(stepPath), ...lifted.map(({ name = "" }) => name)],
    changes: of("rename table", "rename column", "change type", "replace options", "index search").map(
      ({ title }) => title,
    ),
    kept: [],
    warnings: [],
  }
}

function stepPath({ table, name }: Step): string {
  return name === undefined ? table : `${table}.${name}`
}
