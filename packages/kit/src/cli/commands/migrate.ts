import { AppMistakesError } from "../../app/app-mistakes.ts"
import { compileResources } from "../../app/compile-resources.ts"
import { applyMigrations, checkMigrated, checksumOf, readApplied } from "../../engine/migrate/apply-migrations.ts"
import { SchemaMismatchError } from "../../engine/migrate/schema-mismatch.ts"
import type { AppSchema } from "../../schema/resource.ts"
import { didYouMean } from "../../wire/did-you-mean.ts"
import { readArguments, UsageError } from "../arguments.ts"
import { loadApp } from "../load-app.ts"
import { MIGRATIONS_FOLDER, migrationName, readMigrations, writeMigration } from "../migration-files.ts"
import { withDatabase, withReachableDatabase } from "../open-database.ts"
import { lossesOf, planLines, planMigration, refusalsOf } from "../plan-migration.ts"
import { showProgress } from "../show.ts"

const TASKS: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = { plan, create, up, status }

/** Shows, writes and applies the changes that the tables need. */
export async function migrate([task = "", ...args]: readonly string[]): Promise<void> {
  const run = Object.hasOwn(TASKS, task) ? TASKS[task] : undefined
  if (run === undefined) throw unknownTask(task)
  await run(args)
}

function unknownTask(task: string): UsageError {
  const known = Object.keys(TASKS)
  if (task === "" || task.startsWith("-")) return new UsageError(`Say what to do: kit migrate ${known.join("|")}.`)
  return new UsageError(`There is no "kit migrate ${task}".${didYouMean(task, known)}`)
}

async function plan(args: readonly string[]): Promise<void> {
  refuseArguments(args)
  const { app, planned } = await loadPlan()
  if (planned.steps.length + planned.refusals.length === 0)
    return showProgress("nothing to do: no change of the schema")
  const findings = await withReachableDatabase(app, planned.inspect)
  for (const line of planLines(planned.steps, findings)) showProgress(line)
  const refusals = refusalsOf(planned, findings)
  if (refusals.length > 0) throw new SchemaMismatchError(refusals.join("\n"))
}

const CREATE_OPTIONS = { "accept-data-loss": { type: "boolean" } } as const

async function create(args: readonly string[]): Promise<void> {
  const { positionals, values } = readArguments(args, CREATE_OPTIONS)
  const label = readLabel(positionals)
  const { app, planned } = await loadPlan()
  if (planned.steps.length + planned.refusals.length === 0)
    return showProgress("nothing to do: no change of the schema")
  const findings = await withReachableDatabase(app, planned.inspect)
  const losses = values["accept-data-loss"] ? [] : lossesOf(planned.steps, findings)
  const refusals = [...refusalsOf(planned, findings), ...losses]
  if (refusals.length > 0) throw new SchemaMismatchError(refusals.join("\n"))
  const name = migrationName(label, { now: new Date(), last: planned.last })
  await writeMigration(app.root, { name, steps: planned.steps, snapshot: planned.snapshot })
  for (const line of planLines(planned.steps, findings)) showProgress(line)
  showProgress(`wrote ${MIGRATIONS_FOLDER}/${name}.sql and ${name}.json`)
}

async function up(args: readonly string[]): Promise<void> {
  refuseArguments(args)
  const app = await loadApp(process.cwd())
  const migrations = await readMigrations(app.root)
  const { applied, adopted } = await withDatabase(app, (database) => applyMigrations(database, migrations))
  for (const name of adopted) showProgress(`${name} was there already`)
  for (const name of applied) showProgress(`applied ${name}`)
  if (applied.length + adopted.length === 0) showProgress("nothing to do: every migration has been applied")
}

async function status(args: readonly string[]): Promise<void> {
  refuseArguments(args)
  const app = await loadApp(process.cwd())
  const migrations = await readMigrations(app.root)
  const applied = new Map(
    (await withDatabase(app, readApplied)).map((migration) => [migration.name, migration] as const),
  )
  const names = new Set([...applied.keys(), ...migrations.map(({ name }) => name)])
  for (const name of [...names].sort()) {
    const file = migrations.find((migration) => migration.name === name)
    showProgress(`${name}    ${stateOf(applied.get(name), file?.sql)}`)
  }
  if (names.size === 0) showProgress("there are no migrations: kit start syncs by itself")
  checkMigrated(compile(app), migrations)
}

function stateOf(applied: { checksum: string; appliedAt: Date } | undefined, sql: string | undefined): string {
  if (applied === undefined) return "pending"
  const when = `applied ${applied.appliedAt.toISOString()}`
  if (sql === undefined) return `${when}, its file is missing`
  return checksumOf(sql) === applied.checksum ? when : `${when}, its file was changed since`
}

async function loadPlan() {
  const app = await loadApp(process.cwd())
  return { app, planned: planMigration(compile(app), await readMigrations(app.root)) }
}

function compile(app: Awaited<ReturnType<typeof loadApp>>): AppSchema {
  const compiled = compileResources(app.config, app.resources)
  if ("mistakes" in compiled) throw new AppMistakesError(compiled.mistakes)
  return compiled.schema
}

function refuseArguments(args: readonly string[]): void {
  const { positionals } = readArguments(args, {})
  if (positionals.length > 0) throw new UsageError(`There is nothing to say after it: "${positionals.join(" ")}".`)
}

function readLabel(positionals: readonly string[]): string {
  const [label = "change", ...more] = positionals
  if (more.length === 0 && /^[a-zA-Z0-9_-]{1,80}$/.test(label)) return label
  throw new UsageError("Name the migration with letters, digits, _ and -, such as add_tags.")
}
