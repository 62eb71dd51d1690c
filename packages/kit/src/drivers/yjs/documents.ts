import * as Y from "yjs"
import type { Clocks, DeletedNames, DocumentDifference, DocumentRoot } from "../../ports/document-codec.ts"
import { editRoot } from "./edits/edit-root.ts"
import { countNames } from "./names/name-counts.ts"
import { encodeJoined, encodeJoinedState, joinUpdates } from "./sections/join-updates.ts"
import { readJsonRoot } from "./values/json-values.ts"
import { readRichText } from "./values/read-rich-text.ts"

/** Returns the update that makes a new document with this value. */
export function createDocument(root: DocumentRoot, value: unknown): Uint8Array {
  const doc = new Y.Doc()
  doc.transact(() => editRoot(doc, root, value))
  return Y.encodeStateAsUpdate(doc)
}

/** Returns the value that a document holds. An empty text is "", and an empty rich text has no content. */
export function readDocument(root: DocumentRoot, updates: readonly Uint8Array[]): unknown {
  return readRoot(loadDocument(updates), root)
}

/** Returns the value that a loaded document holds. */
export function readRoot(doc: Y.Doc, { name, shape }: DocumentRoot): unknown {
  switch (shape) {
    case "text":
      return doc.getText(name).toString()
    case "richText":
      return readRichText(doc.getXmlFragment(name))
    case "json":
      return readJsonRoot(doc.getMap(name))
    default:
      return shape satisfies never
  }
}

/** Returns the smallest update after which the document has this value; undefined if it has this value already. */
export function editDocument(
  root: DocumentRoot,
  updates: readonly Uint8Array[],
  value: unknown,
): Uint8Array | undefined {
  const doc = loadDocument(updates)
  const edits: Uint8Array[] = []
  doc.on("update", (edit: Uint8Array) => edits.push(edit))
  doc.transact(() => editRoot(doc, root, value))
  return edits.length === 0 ? undefined : Y.mergeUpdates(edits)
}

/** Returns the names in a rich text document, and those of which an update to it deletes something. */
export function deletedNames({ name }: DocumentRoot, updates: readonly Uint8Array[], update: Uint8Array): DeletedNames {
  const doc = loadDocument(updates)
  const fragment = doc.getXmlFragment(name)
  const before = countNames(fragment)
  Y.applyUpdate(doc, update)
  const after = countNames(fragment)
  const deleted = [...before].filter(([each, count]) => (after.get(each) ?? 0) < count)
  return { names: [...new Set([...before.keys(), ...after.keys()])], deleted: deleted.map(([each]) => each) }
}

/**
 * Returns the document as one update, without what its deleted parts contained. Parts that cannot be shown yet, because
 * an update before them has not arrived, are kept.
 */
export function compact(updates: readonly Uint8Array[]): Uint8Array {
  return Y.encodeStateAsUpdate(loadDocument(updates))
}

/**
 * Returns what a replica with this state vector lacks. Nothing is loaded where the bytes of the updates can be joined as
 * they are.
 */
export function differenceFrom(
  updates: readonly Uint8Array[],
  stateVector: Uint8Array | undefined,
): DocumentDifference {
  const joined = joinUpdates(updates)
  if (joined === undefined) return differenceByLoading(updates, stateVector)
  const known = stateVector === undefined ? new Map<number, number>() : Y.decodeStateVector(stateVector)
  const update = encodeJoined(joined, known)
  return {
    // Yjs cuts the sections that the replica has in part.
    update: stateVector === undefined ? update : Y.diffUpdate(update, stateVector),
    stateVector: encodeJoinedState(joined),
  }
}

/** Returns an update without what a document with these clocks has. */
export function cutUpdate(update: Uint8Array, known: Clocks): Uint8Array {
  return Y.diffUpdate(update, Y.encodeStateVector(new Map(known)))
}

/** Returns what a replica with this state vector lacks, by loading the document. */
export function differenceByLoading(
  updates: readonly Uint8Array[],
  stateVector: Uint8Array | undefined,
): DocumentDifference {
  const doc = loadDocument(updates)
  return { update: Y.encodeStateAsUpdate(doc, stateVector), stateVector: Y.encodeStateVector(doc) }
}

/** Returns a document with these updates. Throws if Yjs cannot apply one of them. */
export function loadDocument(updates: readonly Uint8Array[]): Y.Doc {
  const doc = new Y.Doc()
  // One transaction, because Yjs tidies the whole document after each.
  doc.transact(() => {
    for (const update of updates) Y.applyUpdate(doc, update)
  })
  return doc
}
