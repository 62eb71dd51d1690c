import { createHash, randomBytes } from "node:crypto"
import { hostname } from "node:os"
import { systemTimeMs } from "./clocked-date.ts"
import type { TestServer } from "./test-server.ts"

export const TEMPLATE_PREFIX = "kit_template_"
export const SPARE_PREFIX = "kit_spare_"

const HOST = createHash("sha256").update(hostname()).digest("hex").slice(0, 8)
const OWN_NAME = /^kit_test_([0-9a-f]{8})_(\d+)_([0-9a-z]+)_/
const MAX_AGE_MS = 7 * 86_400_000
const MAX_TEMPLATES = 100

/**
 * Returns a database name that contains the host, process id and start time, so that a later process can recognize the
 * databases of dead processes.
 */
export function newDatabaseName(): string {
  const since = Math.floor(performance.timeOrigin).toString(36)
  return `kit_test_${HOST}_${process.pid}_${since}_${randomBytes(5).toString("hex")}`
}

const swept = new WeakSet<TestServer>()

/** Drops the databases of dead processes and outdated template databases, once per process, in the background. */
export function sweepOnce(server: TestServer): void {
  if (swept.has(server)) return
  swept.add(server)
  // A failure is ignored, because the next process tries again to drop the databases that are left.
  sweep(server).catch(() => {})
}

const LIST_UNUSED = `select datname from pg_database where datname ~ '^kit_(test|template|spare)_'
    and not exists (select from pg_stat_activity where pg_stat_activity.datname = pg_database.datname)
  order by oid desc`

async function sweep({ admin }: TestServer): Promise<void> {
  const { rows } = await admin.query({ text: LIST_UNUSED, values: [] })
  const names = rows.map(([name]) => String(name))
  for (const name of [...names.filter(isOrphaned), ...outdated(names)]) {
    // The drop has no `force`, so it fails, as intended, if another process has connected to the database in the
    // meantime.
    await admin.query({ text: `drop database if exists ${name}`, values: [] }).catch(() => {})
  }
}

function isOrphaned(name: string): boolean {
  const [, host, pid, since = ""] = OWN_NAME.exec(name) ?? []
  if (host === undefined) return false
  const isOld = systemTimeMs() - Number.parseInt(since, 36) > MAX_AGE_MS
  return isOld || (host === HOST && !isAlive(Number(pid)))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM means that the process is alive but belongs to another user.
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}

/** Returns templates beyond the limit, and spare databases whose template is gone. `names` is sorted newest first. */
function outdated(names: readonly string[]): readonly string[] {
  const templates = names.filter((name) => name.startsWith(TEMPLATE_PREFIX))
  const kept = new Set(templates.slice(0, MAX_TEMPLATES).map((name) => name.slice(TEMPLATE_PREFIX.length)))
  const spares = names.filter((name) => name.startsWith(SPARE_PREFIX))
  const isKept = (spare: string) => kept.has(spare.slice(SPARE_PREFIX.length).split("_", 1)[0] ?? "")
  return [...templates.slice(MAX_TEMPLATES), ...spares.filter((spare) => !isKept(spare))]
}
