import { chooseDatabase, chooseMode } from "../../app/config/defaults.ts"
import type { DatabaseOptions } from "../../app/definition/app-definition.ts"
import { filesFolder } from "../../app/parts/files/file-store-part.ts"
import { openDiskFiles } from "../../drivers/files/disk-files.ts"
import { openBulkSession } from "../../drivers/postgres/bulk-session.ts"
import {
  type DroppedTable,
  dropEverything,
  dropTables,
  findAllTables,
  findAppTables,
} from "../../engine/archive/empty-database.ts"
import { readOtherSessions } from "../../engine/copy-database/source-lock.ts"
import type { BulkSession } from "../../ports/bulk-session.ts"
import type { FileStore } from "../../ports/file-store.ts"
import { CommandFailure } from "../terminal/arguments.ts"
import { count } from "../terminal/count.ts"

/** The app's database with one session of its own, and the store of the app's files. */
export interface AppDatabase {
  readonly session: BulkSession
  readonly files: FileStore
  readonly isEmbedded: boolean
  readonly databaseNote: string
  /** True if the database is not on this machine. */
  readonly isRemote: boolean
}

/** The content of a database that a command is about to delete. */
interface DatabaseContent {
  readonly tables: readonly DroppedTable[]
  /** The number of uploaded files. */
  readonly files: number
}

const LOCAL_HOSTS: ReadonlySet<string> = new Set(["", "localhost", "127.0.0.1", "[::1]"])

/** Runs `work` with the app's database, which is closed afterwards. `name` is the name of the command. */
export async function withAppDatabase<Result>(
  place: DatabaseOptions,
  name: string,
  work: (database: AppDatabase) => Promise<Result>,
): Promise<Result> {
  const { url, isEmbedded, databaseNote, release } = await chooseDatabase(place)
  const files = openDiskFiles(filesFolder(place))
  try {
    const session = await openBulkSession({ url, name })
    try {
      return await work({ session, files, isEmbedded, databaseNote, isRemote: !isEmbedded && isRemoteUrl(url) })
    } finally {
      await session.close()
    }
  } finally {
    await release()
  }
}

/** Returns what `dropContent` would delete. */
export async function readContent({ session, files, isEmbedded }: AppDatabase): Promise<DatabaseContent> {
  const tables = await (isEmbedded ? findAllTables(session) : findAppTables(session))
  return { tables, files: (await files.list()).length }
}

/**
 * Deletes the content of the database, but not the files. An embedded database belongs to the app, so everything in it
 * is dropped. In another database, only the tables of kit and of the app are.
 */
export function dropContent({ isEmbedded, session }: AppDatabase, { tables }: DatabaseContent): Promise<void> {
  return isEmbedded ? dropEverything(session) : dropTables(session, tables)
}

/** Returns the content in one line: `24 tables with 112 rows (posts 10, users 2), 1 file`. Names no table of kit. */
export function contentText({ tables, files }: DatabaseContent): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const named = tables.filter((table) => table.rows > 0 && !table.name.includes("._kit_"))
  const filled = named.map((table) => `${table.name.replace(/^public\./, "")} ${table.rows}`)
  const details = filled.length === 0 ? "" : ` (${filled.join(", ")})`
  return `${count(tables.length, "table")} with ${count(rows, "row")}${details}, ${count(files, "file")}`
}

/** Throws if other sessions are connected, because an app that runs would not notice that its data is replaced. */
export async function refuseOtherSessions({ session }: AppDatabase): Promise<void> {
  const sessions = await readOtherSessions(session)
  if (sessions.length === 0) return
  throw new CommandFailure(
    `Other sessions are connected to the database: ${sessions.join(", ")}. Stop the app first. Nothing was deleted.`,
  )
}

/** True if the environment says that this is production. */
export function isProduction(): boolean {
  return chooseMode(undefined) === "production"
}

// A Unix socket is local. Its address has a file path as its host, and is not always a valid URL.
function isRemoteUrl(url: string): boolean {
  return URL.canParse(url) && !LOCAL_HOSTS.has(new URL(url).hostname)
}
