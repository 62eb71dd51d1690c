import type { StatementShape } from "./statement-shape-cache.ts"
import { toParameter } from "./values.ts"

const BIND = 0x42
const EXECUTE = 0x45
const SYNC = 0x53
const NULL_LENGTH = -1

// The bytes of Bind besides the statement's name and the parameters: type, length, two ends of names, three counts.
const FIXED_BIND_BYTES = 1 + 4 + 1 + 1 + 2 + 2 + 2
const LENGTH_BYTES = 4
// The largest number of parameters that a Bind message can state.
const MAX_PARAMETERS = 65_535
// Execute for the unnamed portal without a row limit, and Sync.
const EXECUTE_AND_SYNC = Buffer.from([EXECUTE, 0, 0, 0, 9, 0, 0, 0, 0, 0, SYNC, 0, 0, 0, 4])

/**
 * Returns the messages Bind, Execute and Sync for a prepared statement as one buffer. Returns undefined if a parameter
 * needs the conversions of `pg`, as lists, objects and bytes do, or if there are too many parameters. Without this,
 * `pg` makes three buffers and gathers them into one write.
 */
export function executionMessages({ name = "" }: StatementShape, values: readonly unknown[]): Buffer | undefined {
  const texts = parameterTexts(values)
  if (texts === undefined || texts.length > MAX_PARAMETERS) return undefined
  let bindBytes = FIXED_BIND_BYTES + name.length
  for (const text of texts) bindBytes += LENGTH_BYTES + (text === null ? 0 : Buffer.byteLength(text))
  const buffer = Buffer.allocUnsafe(bindBytes + EXECUTE_AND_SYNC.length)
  let at = buffer.writeUInt8(BIND, 0)
  at = buffer.writeInt32BE(bindBytes - 1, at)
  at = buffer.writeUInt8(0, at)
  at += buffer.write(name, at, "latin1")
  at = buffer.writeUInt8(0, at)
  // No format codes: every parameter is text.
  at = buffer.writeInt16BE(0, at)
  at = buffer.writeUInt16BE(texts.length, at)
  for (const text of texts) at = writeParameter(buffer, text, at)
  // No format codes: every column of the result is text.
  at = buffer.writeInt16BE(0, at)
  EXECUTE_AND_SYNC.copy(buffer, at)
  return buffer
}

function writeParameter(buffer: Buffer, text: string | null, at: number): number {
  if (text === null) return buffer.writeInt32BE(NULL_LENGTH, at)
  const start = at + LENGTH_BYTES
  const length = buffer.write(text, start)
  buffer.writeInt32BE(length, at)
  return start + length
}

function parameterTexts(values: readonly unknown[]): readonly (string | null)[] | undefined {
  const texts: (string | null)[] = []
  for (const value of values) {
    const parameter = toParameter(value)
    if (typeof parameter === "object" && parameter !== null) return undefined
    texts.push(parameter === null || parameter === undefined ? null : String(parameter))
  }
  return texts
}
