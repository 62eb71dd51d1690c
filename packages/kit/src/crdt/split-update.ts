import * as Y from "yjs"

/** A part of an update: the structs of one client from one clock to another. */
interface Range {
  readonly client: number
  readonly from: number
  readonly to: number
}

/**
 * Splits an update of a replica into updates of at most `maxBytes`, which have the same effect together. Returns
 * undefined if that is impossible, because a single part of the content is larger.
 */
export function splitUpdate(doc: Y.Doc, update: Uint8Array, maxBytes: number): Uint8Array[] | undefined {
  // The content is cut in a copy, because cutting changes how a replica stores it.
  const copy = new Y.Doc({ gc: false })
  Y.applyUpdate(copy, Y.encodeStateAsUpdate(doc))
  const { from, to } = Y.parseUpdateMeta(update)
  const ranges = Array.from(to, ([client, end]) => ({ client, from: from.get(client) ?? 0, to: end }))
  const inserts = ranges.flatMap((range) => partsOf(copy, range, maxBytes))
  // Without its content, the update still deletes what it deleted.
  const deletes = Y.diffUpdate(update, encodedVector(to))
  copy.destroy()
  const parts = [...inserts, deletes]
  return parts.every(({ length }) => length <= maxBytes) ? parts : undefined
}

function partsOf(copy: Y.Doc, range: Range, maxBytes: number): Uint8Array[] {
  const update = updateOf(copy, range)
  const middle = middleOf(copy, range)
  if (update.length <= maxBytes || middle === undefined) return [update]
  const halves = [
    { ...range, to: middle },
    { ...range, from: middle },
  ]
  return halves.flatMap((half) => partsOf(copy, half, maxBytes))
}

/** Returns the update that contains exactly this range. */
function updateOf(copy: Y.Doc, { client, from, to }: Range): Uint8Array {
  const vector = Y.decodeStateVector(Y.encodeStateVector(copy))
  const upTo = Y.createSnapshot(Y.createDeleteSet(), new Map(vector).set(client, to))
  const beginning = Y.createDocFromSnapshot(copy, upTo)
  const update = Y.encodeStateAsUpdate(beginning, encodedVector(new Map(vector).set(client, from)))
  beginning.destroy()
  return update
}

/** Returns the clock at which the range is cut in two; undefined if it cannot be cut. */
function middleOf(copy: Y.Doc, { client, from, to }: Range): number | undefined {
  const middle = Math.floor((from + to) / 2)
  // A character outside of the basic plane consists of two halves, which Yjs would replace if it had to separate them.
  const clock = isLowSurrogate(copy, client, middle) ? middle + 1 : middle
  return clock > from && clock < to ? clock : undefined
}

function isLowSurrogate(copy: Y.Doc, client: number, clock: number): boolean {
  const structs = copy.store.clients.get(client) ?? []
  const struct = structs[Y.findIndexSS(structs, clock)]
  const content = struct instanceof Y.Item ? struct.content : undefined
  if (!struct || !(content instanceof Y.ContentString)) return false
  return /^[\uDC00-\uDFFF]/.test(content.str.slice(clock - struct.id.clock))
}

function encodedVector(clocks: Map<number, number>): Uint8Array {
  return Y.encodeStateVector(clocks)
}
