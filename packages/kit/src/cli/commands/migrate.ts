import { AppMistakesError } from "../../app/definition/app-mistakes.ts"
import { compileResources } from "../../app/definition/compile-resources.ts"
import {
  MIGRATIONS_FOLDER,
  migrationName,
  readMigrations,
  writeMigration,
} from "../../app/definition/migration-files.ts"
import { proposeIndexes } from "../../app/doctor/slow-read-checks.ts"
import { applyMigrations, checkMigrated, isMigrated } from "../../engine/migrate/apply-migrations.ts"
import { type AppliedMigration, readApplied } from "../../engine/migrate/files/applied-migrations.ts"
import { checksumOf, type Migration } from "../../engine/migrate/files/migration.ts"
import { findLocaleGaps, localizedInBoth } from "../../engine/migrate/locale-gaps.ts"
import { SchemaMismatchError } from "../../engine/migrate/schema-mismatch.ts"
import type { Database } from "../../ports/database.ts"
import type { AppSchema } from "../../schema/compile/resource.ts"
import { withDatabase, withReachableDatabase } from "../database/open-database.ts"
import { loadApp, loadConfig } from "../sources/load-app.ts"
import { sourceModules } from "../sources/source-modules.ts"
import { type CommandArguments, CommandFailure, UsageError } from "../terminal/arguments.ts"
import { showLine, showMigrations } from "../terminal/show.ts"
import { printJson } from "../terminal/standard-output.ts"
import {
  backfillsOf,
  lossesOf,
  type MigrationPlan,
  planLines,
  planMigration,
  refusalsOf,
  stepFacts,
} from "./plan-migration.ts"

const NOTHING_CHANGED = "nothing to do: no change of the schema"

/** Shows how the schema has changed since the last migration, and which indexes slow reads lack. */
export async function plan({ values }: CommandArguments): Promise<void> {
  const { app, schema, planned } = await loadPlan()
  const { findings, gaps, proposals } = await withReachableDatabase(app, (database) =>
    inspectPlan(database, { schema, planned }),
  )
  const warnings = [...backfillsOf(planned.steps, findings), ...gaps, ...proposals]
  const refusals = refusalsOf(planned, findings)
  if (values["json"]) printJson({ steps: stepFacts(planned.steps, findings), refusals, warnings })
  else if (planned.steps.length + planned.refusals.length === 0) showLine(NOTHING_CHANGED)
  else for (const line of planLines(planned.steps, findings)) showLine(line)
  if (!values["json"]) for (const warning of warnings) showLine(warning)
  if (refusals.length > 0) throw new SchemaMismatchError(refusals.join("\n"))
}

interface PlannedSchema {
  readonly schema: AppSchema
  readonly planned: MigrationPlan
}

async function inspectPlan(database: Database | undefined, { schema, planned }: PlannedSchema) {
  const findings = await planned.inspect(database)
  if (database === undefined) return { findings, gaps: [], proposals: [] }
  const proposed = await proposeIndexes(database, schema)
  const proposals = proposed.map(({ reason, advice }) => `${reason}. ${advice}`)
  return { findings, gaps: await findGaps(database, planned), proposals }
}

// Warns about required localized fields without a value in the default locale. The rows are counted on every call until
// all have a value, and not only after a change of the default locale.
function findGaps(database: Database, { last, snapshot }: MigrationPlan): Promise<readonly string[]> {
  const fields = last ? localizedInBoth(last.snapshot, snapshot) : []
  return fields.length === 0 ? Promise.resolve([]) : findLocaleGaps(database, fields)
}

/** Writes a migration from the last migration's schema to the current schema. */
export async function create({ positionals, values }: CommandArguments): Promise<void> {
  const label = readLabel(positionals)
  if (values["empty"]) return createEmpty(label)
  const { app, planned } = await loadPlan()
  if (planned.steps.length + planned.refusals.length === 0) return showLine(NOTHING_CHANGED)
  const findings = await withReachableDatabase(app, planned.inspect)
  const losses = values["accept-data-loss"] ? [] : lossesOf(planned.steps, findings)
  const refusals = [...refusalsOf(planned, findings), ...losses]
  if (refusals.length > 0) throw new SchemaMismatchError(refusals.join("\n"))
  const name = migrationName(label, { now: new Date(), last: planned.last })
  await writeMigration(app.root, { name, steps: planned.steps, snapshot: planned.snapshot })
  for (const line of planLines(planned.steps, findings)) showLine(line)
  for (const line of backfillsOf(planned.steps, findings)) showLine(line)
  showLine(`wrote ${MIGRATIONS_FOLDER}/${name}.sql and ${name}.json`)
}

// Writes a migration for SQL of the author. It leaves the tables as the last migration does, so that a change of the
// schema is left to the next migration.
async function createEmpty(label: string): Promise<void> {
  const root = process.cwd()
  const last = (await readMigrations(root)).at(-1)
  if (last === undefined) {
    throw new CommandFailure(
      "There is no migration yet. Create the one that makes the tables first: kit migrate create initial",
    )
  }
  const name = migrationName(label, { now: new Date(), last })
  await writeMigration(root, { name, steps: [], snapshot: last.snapshot })
  showLine(`wrote ${MIGRATIONS_FOLDER}/${name}.sql, for your SQL, and ${name}.json`)
}

/** Applies the migrations that the database does not have yet. */
export async function up({ values }: CommandArguments): Promise<void> {
  const { app, migrations } = await loadMigrated()
  const logger = { info: showLine, warn: showLine, error: showLine }
  const options = { logger, skipAddedSql: values["skip-added-sql"] === true }
  const report = await withDatabase(app, (database) => applyMigrations(database, migrations, options))
  showMigrations(report)
  if (report.applied.length + report.adopted.length === 0) showLine("nothing to do: every migration has been applied")
}

/** Shows which migrations have been applied to the database. */
export async function status({ values }: CommandArguments): Promise<void> {
  const { app, migrations } = await loadMigrated()
  const applied = await withDatabase(app, readApplied)
  const states = statesOf(applied, migrations)
  const isSchemaAhead = !isMigrated(compile(app), migrations)
  if (values["json"]) printJson({ migrations: states, isSchemaAhead })
  else for (const line of states.map(stateLine)) showLine(line)
  if (states.length === 0 && !values["json"]) showLine("there are no migrations: kit start syncs by itself")
  checkMigrated(compile(app), migrations)
}

interface MigrationState {
  readonly name: string
  readonly state: "pending" | "applied" | "changed" | "missing"
  readonly appliedAt: Date | null
}

function statesOf(applied: readonly AppliedMigration[], migrations: readonly Migration[]): readonly MigrationState[] {
  const names = new Set([...applied, ...migrations].map(({ name }) => name))
  return [...names].sort().map((name) => {
    const ran = applied.find((migration) => migration.name === name)
    const file = migrations.find((migration) => migration.name === name)
    return { name, state: stateOf(ran, file), appliedAt: ran?.appliedAt ?? null }
  })
}

function stateOf(ran: AppliedMigration | undefined, file: Migration | undefined): MigrationState["state"] {
  if (ran === undefined) return "pending"
  if (file === undefined) return "missing"
  return checksumOf(file.sql) === ran.checksum ? "applied" : "changed"
}

const STATE_NOTES = {
  pending: "",
  applied: "",
  changed: ", its file was changed since",
  missing: ", its file is missing",
} as const

function stateLine({ name, state, appliedAt }: MigrationState): string {
  return `${name}    ${appliedAt === null ? state : `applied ${appliedAt.toISOString()}${STATE_NOTES[state]}`}`
}

// Plans from the app's sources and not from its build, because a new migration is written next to the sources.
async function loadPlan() {
  const root = process.cwd()
  const app = await loadApp(root, await loadConfig(root, sourceModules(root)))
  const schema = compile(app)
  return { app, schema, planned: planMigration(schema, await readMigrations(app.root)) }
}

async function loadMigrated() {
  const root = process.cwd()
  const settings = await loadConfig(root)
  const app = await loadApp(root, settings)
  return { app, migrations: await readMigrations(root, settings.appModules.migrationsFolder) }
}

function compile(app: Awaited<ReturnType<typeof loadApp>>): AppSchema {
  const compiled = compileResources(app.config, app.resources)
  if ("mistakes" in compiled) throw new AppMistakesError(compiled.mistakes)
  return compiled.schema
}

function readLabel(positionals: readonly string[]): string {
  const [label = "change", ...more] = positionals
  if (more.length === 0 && /^[a-zA-Z0-9_-]{1,80}$/.test(label)) return label
  throw new UsageError("Name the migration with letters, digits, _ and -, such as add_tags.")
}
