import type { ByteReader } from "./byte-reader.ts"
import { Refusal } from "./refusal.ts"

// The numbers with which Yjs marks the kinds of a plain value.
const OBJECT = 118
const LIST = 117
const TEXT = 119
const INTEGER = 125
const FIXED_SIZES: Readonly<Record<number, number>> = { 127: 0, 126: 0, 124: 4, 123: 8, 121: 0, 120: 0 }

// Validation allows fewer levels in a value.
const MAX_DEPTH = 32

/** Passes over a plain value: undefined, null, a boolean, a number, a text, a list or an object. */
export function skipPlainValue(reader: ByteReader, depth = 0): void {
  if (depth > MAX_DEPTH) throw tooDeep()
  const kind = reader.byte()
  if (kind === OBJECT) skipMembers(reader, depth)
  else if (kind === LIST) skipItems(reader, depth)
  else if (kind === TEXT) reader.text()
  else if (kind === INTEGER) reader.skipSigned()
  else skipFixed(reader, kind)
}

function skipMembers(reader: ByteReader, depth: number): void {
  const count = reader.number()
  for (let member = 0; member < count; member++) {
    reader.text()
    skipPlainValue(reader, depth + 1)
  }
}

function skipItems(reader: ByteReader, depth: number): void {
  const count = reader.number()
  for (let item = 0; item < count; item++) skipPlainValue(reader, depth + 1)
}

function skipFixed(reader: ByteReader, kind: number): void {
  const size = FIXED_SIZES[kind]
  if (size === undefined) throw new Refusal("The update contains a value that is not JSON.")
  reader.skip(size)
}

/** Reads a value that is held as JSON text. */
export function readJsonText(reader: ByteReader): unknown {
  const text = reader.text()
  if (nestingOf(text) > MAX_DEPTH) throw tooDeep()
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Refusal("The update contains a text that is not JSON.", { cause })
  }
}

// Brackets inside of texts do not count. An invalid text is refused by the parser afterwards.
function nestingOf(text: string): number {
  let depth = 0
  let deepest = 0
  for (const [bracket] of text.replaceAll(/"(?:[^"\\]|\\.)*"/gs, "").matchAll(/[[\]{}]/g)) {
    depth += bracket === "[" || bracket === "{" ? 1 : -1
    deepest = Math.max(deepest, depth)
  }
  return deepest
}

function tooDeep(): Refusal {
  return new Refusal(`The update contains a value that is nested deeper than ${MAX_DEPTH} levels.`)
}
