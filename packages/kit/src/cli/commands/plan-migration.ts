import type { Migration } from "../../engine/migrate/apply-migrations.ts"
import { type Finding, inspectStep } from "../../engine/migrate/inspect-step.ts"
import type { Database } from "../../ports/database.ts"
import type { AppSchema } from "../../schema/compile/resource.ts"
import { diffSnapshots, type SchemaDiff } from "../../sql/tables/diff.ts"
import { hintsOf, snapshotOf } from "../../sql/tables/schema-snapshot.ts"
import { EMPTY_SNAPSHOT, type SchemaSnapshot } from "../../sql/tables/snapshot.ts"
import type { Step } from "../../sql/tables/step.ts"

export interface MigrationPlan extends SchemaDiff {
  readonly last: Migration | undefined
  /** Where the steps lead to. */
  readonly snapshot: SchemaSnapshot
  /** What each step would meet in the database; nothing is known without one. */
  inspect(this: void, database: Database | undefined): Promise<readonly (Finding | undefined)[]>
}

/** The way from where the last migration leads to the schema as it is. */
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

type Findings = readonly (Finding | undefined)[]

/** The steps, for people. */
export function planLines(steps: readonly Step[], findings: Findings): readonly string[] {
  return steps.map(
    (step, index) => `${step.title}${step.losesData ? `    LOSES DATA: ${lostOf(findings[index])}` : ""}`,
  )
}

/** The steps, for programs. */
export function stepFacts(steps: readonly Step[], findings: Findings) {
  return steps.map(({ title, sql, losesData }, index) => {
    const lostRows = findings[index]?.lostRows
    return { title, sql, losesData, lostRows: lostRows === undefined ? null : Number(lostRows) }
  })
}

/** What keeps the steps from running on the records that are there. */
export function refusalsOf({ steps, refusals }: SchemaDiff, findings: Findings): readonly string[] {
  const unmet = steps.filter((_step, index) => findings[index]?.isRefused)
  // Several columns may demand the same.
  return [...new Set([...refusals, ...unmet.map(({ demand }) => `${demand?.meaning} ${demand?.remedy}`)])]
}

/** What would be lost, and how to say that it may be. */
export function lossesOf(steps: readonly Step[], findings: Findings): readonly string[] {
  const lines = steps.flatMap((step, index) => (step.losesData ? [`${step.title}: ${lostOf(findings[index])}`] : []))
  if (lines.length === 0) return []
  return [
    "This would lose data:",
    ...lines.map((line) => `  ${line}`),
    "If it may be lost, pass --accept-data-loss. If it was renamed, say so with .renamedFrom(…).",
  ]
}

function lostOf(finding: Finding | undefined): string {
  if (finding?.lostRows === undefined) return "how many rows hold a value is not known here"
  return finding.lostRows === 1n ? "1 row holds a value" : `${finding.lostRows} rows hold a value`
}
