import type { Migration } from "../../engine/migrate/files/migration.ts"
import { inspectStep, refusalOf, type StepInspection } from "../../engine/migrate/inspect-step.ts"
import type { Database } from "../../ports/database.ts"
import type { AppSchema } from "../../schema/compile/resource.ts"
import { diffSnapshots, type SchemaDiff } from "../../sql/tables/diff.ts"
import { hintsOf, snapshotOf } from "../../sql/tables/schema-snapshot.ts"
import { EMPTY_SNAPSHOT, type SchemaSnapshot } from "../../sql/tables/snapshot.ts"
import type { Step } from "../../sql/tables/step.ts"

export interface MigrationPlan extends SchemaDiff {
  readonly last: Migration | undefined
  /** The schema once all steps of the migration have run. */
  readonly snapshot: SchemaSnapshot
  /** Checks the rows that each migration step affects; resolves to undefined for every step if there is no database. */
  inspect(this: void, database: Database | undefined): Promise<readonly (StepInspection | undefined)[]>
}

/** Plans the migration steps from the last migration's snapshot to the current schema. */
export function planMigration(schema: AppSchema, migrations: readonly Migration[]): MigrationPlan {
  const last = migrations.at(-1)
  const snapshot = snapshotOf(schema)
  const { steps, refusals } = diffSnapshots(last?.snapshot ?? EMPTY_SNAPSHOT, snapshot, hintsOf(schema))
  return {
    last,
    snapshot,
    steps,
    refusals,
    inspect: (database) =>
      Promise.all(steps.map((step) => (database ? inspectStep(database, step) : Promise.resolve(undefined)))),
  }
}

type Findings = readonly (StepInspection | undefined)[]

/** Describes the migration steps, one line per step. */
export function planLines(steps: readonly Step[], findings: Findings): readonly string[] {
  return steps.map(
    (step, index) => `${step.title}${step.losesData ? `    LOSES DATA: ${lossText(findings[index])}` : ""}`,
  )
}

/** Returns the migration steps as values for JSON output. */
export function stepFacts(steps: readonly Step[], findings: Findings) {
  return steps.map(({ title, sql, losesData }, index) => {
    const lostRows = findings[index]?.lostRows
    return { title, sql, losesData, lostRows: lostRows === undefined ? null : Number(lostRows) }
  })
}

/** Returns the reasons why the migration steps cannot run on the existing rows. */
export function refusalsOf({ steps, refusals }: SchemaDiff, findings: Findings): readonly string[] {
  const ofRows = unmetOf(steps, findings).filter(({ step }) => step.backfill === undefined)
  // A set removes duplicates, because several columns may fail for the same reason.
  return [...new Set([...refusals, ...ofRows.map(({ message }) => message)])]
}

/** Returns the values that the author has to write into the migration, because they come from a default function. */
export function backfillsOf(steps: readonly Step[], findings: Findings): readonly string[] {
  const ofRows = unmetOf(steps, findings).filter(({ step }) => step.backfill !== undefined)
  return ofRows.map(({ message }) => message)
}

// Returns the steps that cannot run on the existing rows, each with the reason.
function unmetOf(steps: readonly Step[], findings: Findings): readonly { step: Step; message: string }[] {
  return steps.flatMap((step, index) => {
    const [{ precondition }, violations] = [step, findings[index]?.violations]
    return precondition && violations !== undefined ? [{ step, message: refusalOf(precondition, violations) }] : []
  })
}

/** Describes which data the migration steps would lose, and how to allow that loss. */
export function lossesOf(steps: readonly Step[], findings: Findings): readonly string[] {
  const lines = steps.flatMap((step, index) => (step.losesData ? [`${step.title}: ${lossText(findings[index])}`] : []))
  if (lines.length === 0) return []
  return [
    "This would lose data:",
    ...lines.map((line) => `  ${line}`),
    "If it may be lost, pass --accept-data-loss. If it was renamed, say so with .renamedFrom(…).",
  ]
}

function lossText(finding: StepInspection | undefined): string {
  if (finding?.lostRows === undefined) return "how many rows hold a value is not known here"
  return finding.lostRows === 1n ? "1 row holds a value" : `${finding.lostRows} rows hold a value`
}
