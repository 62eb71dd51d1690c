import { TimeSlice } from "./time-slice.ts"

type Replacer = ((key: string, value: unknown) => unknown) | undefined

// Values whose JSON is up to about this long are serialized in one call, which takes less than a millisecond.
const PIECE_CHARACTERS = 64 * 1024

/**
 * Returns the same string as `JSON.stringify`, but serializes a long value member by member and yields to the event
 * loop between members. The replacer must not depend on the key.
 */
export async function stringifyInSlices(value: unknown, replacer: Replacer): Promise<string | undefined> {
  const writing: JsonWriter = { pieces: [], replacer, slice: new TimeSlice() }
  const isWritten = await write(writing, value)
  return isWritten ? writing.pieces.join("") : undefined
}

interface JsonWriter {
  readonly pieces: string[]
  readonly replacer: Replacer
  readonly slice: TimeSlice
}

/** Appends the JSON of a value to the pieces. Returns false for a value that JSON omits, such as undefined. */
async function write(writing: JsonWriter, value: unknown): Promise<boolean> {
  const { pieces, slice } = writing
  if (isLong(value)) {
    if (Array.isArray(value)) return writeItems(writing, value)
    if (isPlainObject(value)) return writeMembers(writing, value)
  }
  if (slice.isOver) await slice.next()
  const text: string | undefined = JSON.stringify(value, writing.replacer)
  if (text !== undefined) pieces.push(text)
  return text !== undefined
}

async function writeItems(writing: JsonWriter, items: readonly unknown[]): Promise<true> {
  const { pieces } = writing
  let mark = "["
  for (const item of items) {
    pieces.push(mark)
    if (!(await write(writing, item))) pieces.push("null")
    mark = ","
  }
  pieces.push(mark === "[" ? "[]" : "]")
  return true
}

async function writeMembers(writing: JsonWriter, members: object): Promise<true> {
  const { pieces } = writing
  let mark = "{"
  for (const [name, value] of Object.entries(members)) {
    pieces.push(`${mark}${JSON.stringify(name)}:`)
    if (await write(writing, value)) mark = ","
    else pieces.pop()
  }
  pieces.push(mark === "{" ? "{}" : "}")
  return true
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== "object" || value === null || "toJSON" in value) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/**
 * True if the JSON of a value is longer than `PIECE_CHARACTERS`, by a rough estimate that stops as soon as it exceeds
 * that length.
 */
function isLong(value: unknown): boolean {
  return charactersLeft(value, PIECE_CHARACTERS) < 0
}

function charactersLeft(value: unknown, characters: number): number {
  if (typeof value === "string") return characters - value.length
  if (typeof value !== "object" || value === null) return characters - 4
  let left = characters - 2
  for (const name in value) {
    if (left < 0) return left
    left = charactersLeft(Reflect.get(value, name), left - name.length)
  }
  return left
}
