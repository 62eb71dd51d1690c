import { createHash } from "node:crypto"
import type { BulkSession } from "../../ports/bulk-session.ts"
import type { FileStore, StoredFile } from "../../ports/file-store.ts"
import type { CopiedTable } from "../copy-database/copied-tables.ts"
import { refuseUnfinishedSource } from "../copy-database/copy-journal.ts"
import { type CopyPlan, planCopy } from "../copy-database/copy-plan.ts"
import { readSchemas } from "../copy-database/copy-scope.ts"
import { readSequences } from "../copy-database/copy-sequences.ts"
import { applySettings, readCurrentSchema } from "../copy-database/session-settings.ts"
import { openSnapshot, releaseSchemaLock } from "../copy-database/source-lock.ts"
import { checksumOf } from "../copy-database/table-checksum.ts"
import { readServer } from "../copy-database/target-check.ts"
import { type ArchiveHead, FRAME } from "./archive-format.ts"
import { FrameWriter, type WriteBytes } from "./frame-writer.ts"

/** A progress report of a running dump or restore. */
export type ArchiveEvent =
  | { readonly kind: "bytes"; readonly table: string; readonly bytes: number }
  | { readonly kind: "table"; readonly table: string; readonly rows: number }
  | { readonly kind: "files"; readonly done: number }
  | { readonly kind: "building"; readonly title: string }

export interface ArchiveReport {
  readonly tables: readonly { readonly table: string; readonly rows: number }[]
  readonly files: number
  /** Warnings for the user. */
  readonly warnings: readonly string[]
}

interface DumpOptions {
  readonly source: BulkSession
  /** The PostgreSQL schemas to dump. An empty list means all schemas. */
  readonly schemas: readonly string[]
  readonly files: FileStore
  readonly origin: Pick<ArchiveHead, "app" | "createdAt">
  readonly write: WriteBytes
  onEvent(event: ArchiveEvent): void
}

/**
 * Writes the whole database and the uploaded files as the frames of an archive. The rows are those of one moment, and
 * other sessions may write meanwhile.
 */
export async function dumpDatabase(options: DumpOptions): Promise<ArchiveReport> {
  const { source, files } = options
  const schema = await readCurrentSchema(source)
  await applySettings(source)
  const schemas = await readSchemas(source, options.schemas)
  await openSnapshot(source, schemas)
  await refuseUnfinishedSource(source)
  // The files are listed right after the snapshot is taken, so that the fewest of them are missing or superfluous.
  const stored = await files.list()
  const plan = await planCopy(source, schemas)
  await releaseSchemaLock(source)
  const out = new FrameWriter(options.write)
  await out.writeJson(FRAME.head, await headOf(options, plan, schema))
  const missing = await dumpFiles(out, options, stored)
  const tables = await dumpTables(out, options, plan)
  await out.writeJson(FRAME.sequences, await readSequences(source, schemas))
  await out.end()
  return { tables, files: stored.length - missing.length, warnings: warningsOf(missing) }
}

async function headOf({ source, origin }: DumpOptions, plan: CopyPlan, schema: string): Promise<ArchiveHead> {
  const { version } = await readServer(source)
  const tables = plan.tables.map(({ name, columns, create }) => ({ name, columns, create }))
  return { ...origin, server: version, schema, schemas: plan.schemas, before: plan.before, tables, after: plan.after }
}

// Returns the keys of the files that have been deleted since they were listed.
async function dumpFiles(
  out: FrameWriter,
  { files, onEvent }: DumpOptions,
  stored: readonly StoredFile[],
): Promise<readonly string[]> {
  const missing: string[] = []
  for (const [index, { key, bytes }] of stored.entries()) {
    const content = await files.open(key, { start: 0, end: bytes })
    if (content === undefined) missing.push(key)
    else await dumpFile(out, key, content)
    onEvent({ kind: "files", done: index + 1 })
  }
  return missing
}

async function dumpFile(out: FrameWriter, key: string, content: ReadableStream<Uint8Array>): Promise<void> {
  const hash = createHash("sha256")
  await out.writeJson(FRAME.file, { key })
  for await (const piece of content) {
    hash.update(piece)
    await out.writeData(piece)
  }
  await out.writeJson(FRAME.fileEnd, { sha256: hash.digest("hex") })
}

async function dumpTables(out: FrameWriter, options: DumpOptions, plan: CopyPlan): Promise<ArchiveReport["tables"]> {
  const dumped: { table: string; rows: number }[] = []
  for (const table of plan.tables) dumped.push(await dumpTable(out, options, table))
  return dumped
}

async function dumpTable(out: FrameWriter, { source, onEvent }: DumpOptions, table: CopiedTable) {
  const { name, columns } = table
  await out.writeJson(FRAME.table, { name })
  let bytes = 0
  for await (const piece of source.copyOut(`copy (select ${columns.join(", ")} from only ${name}) to stdout`)) {
    await out.writeData(piece)
    bytes += piece.length
    onEvent({ kind: "bytes", table: name, bytes })
  }
  const checksum = await checksumOf(source, table)
  await out.writeJson(FRAME.tableEnd, checksum)
  onEvent({ kind: "table", table: name, rows: checksum.rows })
  return { table: name, rows: checksum.rows }
}

function warningsOf(missing: readonly string[]): readonly string[] {
  if (missing.length === 0) return []
  return [`${missing.length} files were deleted during the dump; their records are in it without them: ${missing[0]} …`]
}
