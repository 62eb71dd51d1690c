import { bundledLibraries } from "../../drivers/embedded-postgres/files/bundled-libraries.ts"
import { openPostgres } from "../../drivers/postgres/open-postgres.ts"
import { isMigrated } from "../../engine/migrate/apply-migrations.ts"
import { readApplied } from "../../engine/migrate/files/applied-migrations.ts"
import { checksumOf, type Migration } from "../../engine/migrate/files/migration.ts"
import { findDrift } from "../../engine/migrate/find-drift.ts"
import { findViolations, refusalOf } from "../../engine/migrate/inspect-step.ts"
import type { Database } from "../../ports/database.ts"
import type { AppSchema } from "../../schema/compile/resource.ts"
import type { Step } from "../../sql/tables/step.ts"
import { chooseBinaries, chooseDatabase, hasDatabase } from "../config/defaults.ts"
import { readMigrations } from "../definition/migration-files.ts"
import type { CheckedApp } from "./checked-app.ts"
import { type Finding, fail, ok, warn } from "./finding.ts"
import { checkLargeTables } from "./large-table-checks.ts"
import { checkLeftOvers } from "./left-over-checks.ts"
import { checkSearchIndexes } from "./search-checks.ts"
import { checkSlowReads } from "./slow-read-checks.ts"
import { checkVectorMemory } from "./vector-checks.ts"
import { checkStoredNames } from "./vocabulary-checks.ts"

const MIN_VERSION = 15
const VERSION_UNITS = 10_000

/** Checks the database and, if it can be reached, its tables. */
export async function checkDatabase(examined: CheckedApp): Promise<readonly Finding[]> {
  const { config, root } = examined
  if (!hasDatabase(examined)) return [ok("the embedded one is made at the first start"), checkBinaries(examined)]
  try {
    const { url, isEmbedded, databaseNote, release } = await chooseDatabase({ config, root })
    const database = openPostgres({ ...config.db, url })
    try {
      const programs = isEmbedded ? [checkBinaries(examined)] : []
      return [await findVersion(database, databaseNote), ...programs, ...(await checkSchema(database, examined))]
    } finally {
      await database.close()
      await release()
    }
  } catch (error) {
    return [fail(firstLine(error), "Check DATABASE_URL, or db.url in kit.config.ts.")]
  }
}

/** Reports the PostgreSQL programs that run the embedded database, and the libraries bundled with them. */
function checkBinaries({ config, root, isProduction }: CheckedApp): Finding {
  const folder = chooseBinaries({ config, root })
  if (folder !== undefined) return ok(`the embedded one is run by the programs in ${folder}`)
  const libraries = bundledLibraries().map(({ name, version }) => `${name} ${version}`)
  const message = `the programs of the embedded one contain ${libraries.join(", ")}, which cannot be reached from the network`
  if (!isProduction) return ok(message)
  return warn(message, "Set DATABASE_URL, or db.embedded.binaries to an installation that gets security updates.")
}

async function findVersion(database: Database, note: string): Promise<Finding> {
  const { rows } = await database.query({
    text: "select current_setting('server_version_num')::int, current_setting('server_version')",
    values: [],
  })
  const [number, version] = rows[0] ?? []
  if (Number(number) >= MIN_VERSION * VERSION_UNITS) return ok(`${note}, version ${version}`)
  return fail(`${note} is PostgreSQL ${version}`, `Use PostgreSQL ${MIN_VERSION} or newer.`)
}

async function checkSchema(database: Database, { compiled, config, root }: CheckedApp): Promise<readonly Finding[]> {
  if (compiled === undefined) return []
  const { schema } = compiled
  const migrations = await readMigrations(root)
  const ofTables =
    migrations.length > 0
      ? await checkMigrations(database, { schema, migrations })
      : await checkSynced(database, schema)
  const ofIndexes = await checkSearchIndexes(database, schema)
  const ofVectors = await checkVectorMemory(database, config.search ?? {})
  const ofNames = await checkStoredNames(database, schema)
  const ofSizes = await checkLargeTables(database, schema)
  const ofSlowReads = await checkSlowReads(database, schema)
  const ofLeftOvers = await checkLeftOvers(database, schema)
  return [...ofTables, ...ofIndexes, ...ofVectors, ...ofNames, ...ofLeftOvers, ...ofSizes, ...ofSlowReads]
}

interface MigratedSchema {
  readonly schema: AppSchema
  readonly migrations: readonly Migration[]
}

async function checkMigrations(
  database: Database,
  { schema, migrations }: MigratedSchema,
): Promise<readonly Finding[]> {
  const applied = new Map((await readApplied(database)).map(({ name, checksum }) => [name, checksum]))
  const pending = migrations.filter(({ name }) => !applied.has(name))
  const changed = migrations.filter(({ name, sql }) => (applied.get(name) ?? checksumOf(sql)) !== checksumOf(sql))
  const findings = [
    ...(isMigrated(schema, migrations)
      ? []
      : [fail("the schema is not what the last migration leads to", "See kit migrate plan, then kit migrate create.")]),
    ...changed.map(({ name }) => fail(`${name}.sql was changed after it had been applied`, "Restore the file.")),
    ...(pending.length === 0
      ? []
      : [warn(`not applied: ${pending.map(({ name }) => name).join(", ")}`, "Run kit migrate up, or start the app.")]),
  ]
  return findings.length === 0 ? [ok("every migration has been applied")] : findings
}

async function checkSynced(database: Database, schema: AppSchema): Promise<readonly Finding[]> {
  const { steps, refusals, blockedRenames } = await findDrift(database, schema)
  const due = steps.filter(({ losesData }) => !losesData)
  const failures = [...refusals, ...(await findUnmet(database, due))]
  if (failures.length > 0) return failures.map((failure) => fail(failure, "The next start would fail with this error."))
  const blocked = blockedRenames.map((message) => warn(message, "Until then, the two are kept beside each other."))
  if (due.length === 0) return [ok("the tables match the schema"), ...blocked]
  return [
    ...blocked,
    warn(`the next start will: ${due.map(({ title }) => title).join(", ")}`, "Start the app, or see kit migrate plan."),
  ]
}

// Returns the reasons why the steps cannot run on the existing records. A step with a default function can.
async function findUnmet(database: Database, steps: readonly Step[]): Promise<readonly string[]> {
  const unmet = new Set<string>()
  for (const { precondition } of steps.filter(({ backfill }) => backfill === undefined)) {
    const violations = precondition && (await findViolations(database, precondition))
    if (precondition && violations !== undefined) unmet.add(refusalOf(precondition, violations))
  }
  return [...unmet]
}

function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.split("\n", 1)[0] ?? ""
}
