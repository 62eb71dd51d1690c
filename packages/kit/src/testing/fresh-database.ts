import { randomBytes } from "node:crypto"
import { newDatabaseName, SPARE_PREFIX, sweepOnce, TEMPLATE_PREFIX } from "./left-over-databases.ts"
import {
  createDatabase,
  dropDatabase,
  ensureTemplate,
  forgetTemplate,
  renameDatabase,
  type TableSource,
} from "./template-database.ts"
import { type TestServer, urlOfDatabase } from "./test-server.ts"

const MAX_SPARES = 2

/** The number of databases that this process has made from each template database. */
const useCounts = new Map<string, number>()

/** A test database that belongs to one test app. */
export interface FreshDatabase {
  readonly url: string
  /** Drops the database in the background. */
  drop(): void
}

/** Returns a new database that contains the app's empty tables. */
export async function freshDatabase(server: TestServer, source: TableSource): Promise<FreshDatabase> {
  sweepOnce(server)
  const template = await ensureTemplate(server, source)
  const name = newDatabaseName()
  if (!(await takeSpare(server, { template, name }))) await copyTemplate(server, { template, name, source })
  const times = (useCounts.get(template) ?? 0) + 1
  useCounts.set(template, times)
  // A process that has used a template twice will probably use it again, so the next copy is made in advance.
  if (times > 1) inBackground(makeSpare(server, template))
  return toFreshDatabase(server, name)
}

/** Returns a new database without any table. */
export async function emptyDatabase(server: TestServer): Promise<FreshDatabase> {
  sweepOnce(server)
  const name = newDatabaseName()
  await createDatabase(server, name)
  return toFreshDatabase(server, name)
}

function toFreshDatabase(server: TestServer, name: string): FreshDatabase {
  return { url: urlOfDatabase(server.url, name), drop: () => inBackground(dropDatabase(server, name)) }
}

interface CopyInput {
  readonly template: string
  readonly name: string
  readonly source: TableSource
}

async function copyTemplate(server: TestServer, { template, name, source }: CopyInput): Promise<void> {
  try {
    await createDatabase(server, name, template)
  } catch {
    // Another process may have dropped the template as outdated, so the template is created again if it is missing. If
    // the copy failed for another reason, the second attempt fails too and throws.
    forgetTemplate(server, template)
    await createDatabase(server, name, await ensureTemplate(server, source))
  }
}

async function takeSpare(server: TestServer, { template, name }: Omit<CopyInput, "source">): Promise<boolean> {
  for (const spare of await sparesOf(server, template)) {
    const isTaken = await renameDatabase(server, spare, name).then(
      () => true,
      // The rename fails if another process has taken this spare database first.
      () => false,
    )
    if (isTaken) return true
  }
  return false
}

async function makeSpare(server: TestServer, template: string): Promise<void> {
  if ((await sparesOf(server, template)).length >= MAX_SPARES) return
  const name = newDatabaseName()
  await createDatabase(server, name, template)
  await renameDatabase(server, name, `${spareName(template)}_${randomBytes(4).toString("hex")}`)
}

async function sparesOf({ admin }: TestServer, template: string): Promise<readonly string[]> {
  const text = "select datname from pg_database where starts_with(datname, $1)"
  const { rows } = await admin.query({ text, values: [spareName(template)] })
  return rows.map(([name]) => String(name))
}

function spareName(template: string): string {
  return SPARE_PREFIX + template.slice(TEMPLATE_PREFIX.length)
}

// Lets work on a database run in the background and ignores its failure. A later process drops a database that is left
// over.
function inBackground(work: Promise<unknown>): void {
  work.catch(() => {})
}
