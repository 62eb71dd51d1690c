import type { UserAccounts } from "../../features/auth/accounts/user-accounts.ts"
import type { Connection, Database } from "../../ports/database.ts"
import type { RegisteredSystemCollections } from "../../schema/context/register.ts"
import type { SystemApi } from "../definition/app-api.ts"

/** The operations for a seed, on the connection that the seed runs on. */
interface SeedApi extends SystemApi {
  /** Creates users who can sign in. */
  readonly users: UserAccounts
  /** Stores a file in a collection of files, with values for the author's fields of its record. */
  upload(
    collection: keyof RegisteredSystemCollections & string,
    file: File,
    data?: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly id: string }>
}

/** The context of a seed: operations that bypass every rule, and a function to report progress. */
export interface SeedContext extends SeedApi {
  progress(label: string, done: number, total: number): void
}

export type Seed = (context: SeedContext) => Promise<void>

/**
 * Declares initial data. A file in `seeds/` exports the seed as its default. A seed runs once per database, in one
 * transaction.
 *
 * export default seed(async ({ collections }) => { await collections.teams.create({ name: "Sport" }) })
 */
export function seed(work: Seed): Seed {
  return work
}

export interface NamedSeed {
  readonly name: string
  readonly run: Seed
  progress(label: string, done: number, total: number): void
}

// The key of the advisory lock for seeds: an arbitrary number, but the same in every instance.
const SEED_LOCK = 7_105_117

/** Runs the seeds that have not run on this database, ordered by name; resolves to the names of those that ran. */
export async function runSeeds(
  database: Database,
  seeds: readonly NamedSeed[],
  apiOn: (connection: Connection) => SeedApi,
): Promise<readonly string[]> {
  const ran: string[] = []
  for (const named of [...seeds].sort((left, right) => (left.name < right.name ? -1 : 1))) {
    const isNew = await database.transaction((connection) => runOnce(connection, named, apiOn(connection)))
    if (isNew) ran.push(named.name)
  }
  return ran
}

async function runOnce(connection: Connection, named: NamedSeed, api: SeedApi): Promise<boolean> {
  await lockSeeds(connection)
  await query(
    connection,
    `create table if not exists "_kit_seeds" (name text primary key, ran_at timestamptz not null default now())`,
  )
  const known = await query(
    connection,
    `insert into "_kit_seeds" (name) values ($1) on conflict do nothing returning name`,
    [named.name],
  )
  if (known.length === 0) return false
  const { collections, globals, search, transaction, users, upload } = api
  await named.run({ collections, globals, search, transaction, users, upload, progress: named.progress })
  return true
}

// Waits without a time limit while another instance runs its seeds. Later statements have the usual time limit.
async function lockSeeds(connection: Connection): Promise<void> {
  await query(connection, "set local statement_timeout = 0")
  await query(connection, `select pg_advisory_xact_lock(${SEED_LOCK})`)
  await query(connection, "set local statement_timeout to default")
}

async function query(connection: Connection, text: string, values: readonly unknown[] = []) {
  return (await connection.query({ text, values })).rows
}
