import type { BulkSession } from "../../ports/bulk-session.ts"
import type { FileStore } from "../../ports/file-store.ts"
import { writeSequences } from "../copy-database/copy-sequences.ts"
import { makeAll } from "../copy-database/dry-run.ts"
import { inTransaction, run } from "../copy-database/in-transaction.ts"
import { applySettings, readCurrentSchema } from "../copy-database/session-settings.ts"
import { checksumOf } from "../copy-database/table-checksum.ts"
import { lockTarget, refuseNonEmpty, refuseUnusableServer } from "../copy-database/target-check.ts"
import { ArchiveError } from "./archive-error.ts"
import { type ArchivedSequence, type ArchivedTable, type ArchiveHead, FRAME } from "./archive-format.ts"
import type { ArchiveEvent, ArchiveReport } from "./dump-database.ts"
import { damaged, FrameReader } from "./frame-reader.ts"
import { RestoredFiles } from "./restored-files.ts"

const NOT_EMPTY = "Use an empty database, or --replace to delete its data first."
const OTHER_OBJECTS = "They do not belong to the app, so they were not deleted. Drop them, or use an empty database."

interface RestoreOptions {
  readonly target: BulkSession
  readonly files: FileStore
  /** The frames of the archive. */
  readonly archive: AsyncIterable<Uint8Array>
  /** Empties the target first, in the same transaction. Without it, the target must be empty. */
  readonly empty?: (target: BulkSession) => Promise<void>
  onHead(head: ArchiveHead): void
  onEvent(event: ArchiveEvent): void
}

/**
 * Restores an archive into a database, with its files. Everything is created in one transaction, which is committed
 * after the whole archive has been read and compared with its checksums. An error leaves the database as it was.
 */
export async function restoreArchive(options: RestoreOptions): Promise<ArchiveReport> {
  const reader = new FrameReader(options.archive)
  try {
    return await restoreFrames(options, reader)
  } finally {
    await reader.close()
  }
}

async function restoreFrames(options: RestoreOptions, reader: FrameReader): Promise<ArchiveReport> {
  const { target } = options
  // The cast is safe: `kit db dump` has written a head, and an archive is trusted as a migration is.
  const head = (await reader.readJson(FRAME.head)) as ArchiveHead
  options.onHead(head)
  const schema = await readCurrentSchema(target)
  await applySettings(target)
  await refuseUnusableServer(target)
  await lockTarget(target)
  const files = await RestoredFiles.open(options.files)
  try {
    const tables = await inTransaction(target, () => restoreAll(options, { reader, head, files }))
    if (options.empty) await files.removeOthers()
    return { tables, files: files.count, warnings: warningsOf(head, schema) }
  } catch (error) {
    await files.undo()
    throw error
  }
}

interface OpenArchive {
  readonly reader: FrameReader
  readonly head: ArchiveHead
  readonly files: RestoredFiles
}

async function restoreAll(options: RestoreOptions, { reader, head, files }: OpenArchive) {
  const { target, onEvent } = options
  await options.empty?.(target)
  await refuseNonEmpty(target, head.schemas, options.empty ? OTHER_OBJECTS : NOT_EMPTY)
  await makeAll(target, [...head.before, ...head.tables.map(({ create }) => create)])
  while ((await reader.peek()) === FRAME.file) {
    await files.restore(reader)
    onEvent({ kind: "files", done: files.count })
  }
  const tables: { table: string; rows: number }[] = []
  for (const table of head.tables) tables.push(await restoreTable(options, reader, table))
  // The cast is safe: `kit db dump` has written a list of sequences.
  const sequences = (await reader.readJson(FRAME.sequences)) as readonly ArchivedSequence[]
  await reader.readEnd()
  onEvent({ kind: "building", title: "indexes and constraints" })
  await makeAll(target, head.after)
  await writeSequences(target, sequences)
  for (const { name } of head.tables) await run(target, `analyze ${name}`)
  return tables
}

async function restoreTable({ target, onEvent }: RestoreOptions, reader: FrameReader, table: ArchivedTable) {
  const { name, columns } = table
  const begun = await reader.readJson(FRAME.table)
  if (JSON.stringify(begun) !== JSON.stringify({ name })) throw damaged()
  await target.copyIn(`copy ${name} (${columns.join(", ")}) from stdin`, reportedPieces(reader, name, onEvent))
  const expected = await reader.readJson(FRAME.tableEnd)
  const found = await checksumOf(target, table)
  if (JSON.stringify(found) !== JSON.stringify(expected)) {
    throw new ArchiveError(
      `The rows of ${name} differ from those that were dumped: the checksums are not equal. Nothing was restored.`,
    )
  }
  onEvent({ kind: "table", table: name, rows: found.rows })
  return { table: name, rows: found.rows }
}

async function* reportedPieces(reader: FrameReader, table: string, onEvent: (event: ArchiveEvent) => void) {
  let bytes = 0
  for await (const piece of reader.readData()) {
    yield piece
    bytes += piece.length
    onEvent({ kind: "bytes", table, bytes })
  }
}

function warningsOf(head: ArchiveHead, schema: string): readonly string[] {
  if (head.schema === schema) return []
  return [`the archive's tables are in schema ${head.schema}, the address leads to ${schema}: give it that search_path`]
}
