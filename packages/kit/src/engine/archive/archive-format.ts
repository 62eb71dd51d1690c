import { ArchiveError } from "./archive-error.ts"

/** The version of the format that this kit writes. It reads this version and older ones. */
const FORMAT_VERSION = 1
const FIRST_LINE = /^kit archive (\d{1,9})\n/

/** The first line of an archive, which is not compressed. It is followed by the compressed frames. */
export const FIRST_LINE_BYTES = Buffer.from(`kit archive ${FORMAT_VERSION}\n`)

/**
 * The kinds of frames, in the order in which they occur: the head; each file with its data and end; each table with its
 * data and end; the sequences; the end. The values are the first byte of a frame.
 */
export const FRAME = {
  head: 0x01,
  data: 0x02,
  file: 0x03,
  fileEnd: 0x04,
  table: 0x05,
  tableEnd: 0x06,
  sequences: 0x07,
  end: 0x08,
} as const

/** A frame has its kind in one byte, the length of its content in four, and the content: data, or JSON. */
export const FRAME_HEAD_BYTES = 5
export const MAX_FRAME_BYTES = 64 * 1024 * 1024

/** The step that creates an object of the database. */
interface ArchivedStep {
  readonly title: string
  readonly sql: string
}

/** The content of the first frame: the origin of the archive, and the definitions of all objects of the database. */
export interface ArchiveHead {
  readonly app: string
  readonly createdAt: string
  /** The version of the PostgreSQL server that was dumped. */
  readonly server: string
  /** The PostgreSQL schema of the app's tables. */
  readonly schema: string
  readonly schemas: readonly string[]
  readonly before: readonly ArchivedStep[]
  readonly tables: readonly ArchivedTable[]
  readonly after: readonly ArchivedStep[]
}

export interface ArchivedTable {
  readonly name: string
  readonly columns: readonly string[]
  readonly create: ArchivedStep
}

export interface ArchivedFile {
  readonly key: string
}

export interface ArchivedSequence {
  readonly name: string
  readonly lastValue: string
  readonly isCalled: boolean
}

/** Returns the length of the first line of an archive. Throws if the bytes are not the beginning of one. */
export function readFirstLine(start: Uint8Array): number {
  const [line, version] = FIRST_LINE.exec(Buffer.from(start).toString("latin1")) ?? []
  if (line === undefined) throw new ArchiveError("The file is not an archive of kit. kit db dump <file> makes one.")
  if (Number(version) <= FORMAT_VERSION) return line.length
  throw new ArchiveError(
    `The archive has the format ${version}, and this version of kit reads formats up to ${FORMAT_VERSION}. Restore it with the version of kit that made it, or a newer one.`,
  )
}
