import { mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import { basename, join } from "node:path"
import type { Migration } from "../../engine/migrate/files/migration.ts"
import { SchemaMismatchError } from "../../engine/migrate/schema-mismatch.ts"
import { readSnapshot, type SchemaSnapshot } from "../../sql/tables/snapshot.ts"
import type { Step } from "../../sql/tables/step.ts"

/** The folder of the author's migrations, relative to the app's folder. */
export const MIGRATIONS_FOLDER = "src/migrations"

/** Returns the migrations in a folder, in the order in which they run; none if the folder does not exist. */
export async function readMigrations(root: string, folder = MIGRATIONS_FOLDER): Promise<readonly Migration[]> {
  const entries = await readdir(join(root, folder)).catch(ignoreMissing)
  const names = entries.filter((entry) => entry.endsWith(".sql")).map((entry) => entry.slice(0, -".sql".length))
  return Promise.all(names.sort().map((name) => readMigration(root, join(folder, name))))
}

interface NewMigration {
  readonly name: string
  readonly steps: readonly Step[]
  readonly snapshot: SchemaSnapshot
}

/** Writes the SQL file and the snapshot file of a migration; existing files are never overwritten. */
export async function writeMigration(root: string, { name, steps, snapshot }: NewMigration): Promise<void> {
  const folder = join(root, MIGRATIONS_FOLDER)
  const statements = steps.flatMap(({ sql }) => sql)
  await mkdir(folder, { recursive: true })
  // The snapshot is written before the SQL file, because kit considers a migration to exist once its SQL file does.
  const preconditions = steps.flatMap(({ precondition }) => (precondition?.violations ? [precondition] : []))
  const json = JSON.stringify({ ...snapshot, statements, preconditions }, null, 2)
  await writeFile(join(folder, `${name}.json`), `${json}\n`, { flag: "wx" })
  await writeFile(join(folder, `${name}.sql`), steps.length === 0 ? EMPTY_SQL : sqlOf(steps), { flag: "wx" })
}

const EMPTY_SQL = "-- Write the SQL of this migration here. It runs once, in a transaction.\n"

/**
 * Returns a migration name that begins with the time as digits, so that names sort by time. The time is always later
 * than the last migration's.
 */
export function migrationName(label: string, { now, last }: { now: Date; last: Migration | undefined }): string {
  const stamp = now.toISOString().replace(/\D/g, "").slice(0, 14)
  const lastStamp = /^\d{14}/.exec(last?.name ?? "")?.[0]
  const next = lastStamp !== undefined && stamp <= lastStamp ? String(BigInt(lastStamp) + 1n) : stamp
  return `${next}_${label}`
}

async function readMigration(root: string, file: string): Promise<Migration> {
  const name = basename(file)
  const sql = await readFile(join(root, `${file}.sql`), "utf8")
  const json = await readJson(join(root, `${file}.json`))
  const snapshot = readSnapshot(json)
  if (snapshot) return { name, sql, snapshot, ...readDetails(json) }
  throw new SchemaMismatchError(
    `${file}.json is missing or is not a snapshot of this version. It is written by kit migrate create, together with ${name}.sql; restore it.`,
  )
}

// Returns the facts beside the snapshot; none if an earlier version of kit wrote the files.
function readDetails(json: unknown): Pick<Migration, "statements" | "preconditions"> {
  // The cast is safe: kit itself wrote the file, and its members are optional.
  const { statements, preconditions } = json as Pick<Migration, "statements" | "preconditions">
  return { statements, preconditions }
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, "utf8"))
  } catch {
    // The JSON file is missing or invalid. In both cases there is no snapshot, which the caller of this function
    // reports.
    return undefined
  }
}

function sqlOf(steps: readonly Step[]): string {
  const parts = steps.map(({ title, sql, losesData, backfill }) => {
    const heading = `-- ${title}${losesData ? " (loses data)" : ""}`
    const advice = backfill === undefined ? [] : [BACKFILL_ADVICE, `-- ${backfill}`]
    return [heading, ...advice, ...sql.map((text) => `${text};`)].join("\n")
  })
  return `${parts.join("\n\n")}\n`
}

const BACKFILL_ADVICE = "-- The default is a function, which SQL cannot call. Give existing records their values here:"

function ignoreMissing(error: NodeJS.ErrnoException): string[] {
  if (error.code === "ENOENT") return []
  throw error
}
