import * as Y from "yjs"
import type { DocumentRoot, DocumentSurvey } from "../../ports/document-codec.ts"
import { loadDocument, readRoot } from "./documents.ts"

/** An update, and its place in the list of a document's updates. */
interface PlacedUpdate {
  readonly place: number
  readonly update: Uint8Array
}

type Attempt = { readonly doc: Y.Doc } | { readonly reason: string }

const MISSING = "An update refers to something that the document does not have."

/**
 * Loads and reads a document. If this fails, finds the update with which it begins to fail, leaves it out and tries
 * again. Updates that wait for something that the document does not have are left out, too.
 */
export function surveyDocument(root: DocumentRoot, updates: readonly Uint8Array[]): DocumentSurvey {
  let kept: readonly PlacedUpdate[] = updates.map((update, place) => ({ place, update }))
  let reason: string | undefined
  for (;;) {
    const attempt = tryToLoad(root, kept)
    if ("reason" in attempt) {
      reason ??= attempt.reason
      const broken = firstBroken(root, kept)
      kept = kept.filter((each) => each !== broken)
      continue
    }
    const sound = withoutWaiting(attempt.doc, kept)
    if (sound.length === kept.length) return { broken: leftOut(updates, kept), reason, clocks: clocksOf(attempt.doc) }
    reason ??= MISSING
    kept = sound
  }
}

function tryToLoad(root: DocumentRoot, kept: readonly PlacedUpdate[]): Attempt {
  try {
    const doc = loadDocument(kept.map(({ update }) => update))
    readRoot(doc, root)
    Y.encodeStateAsUpdate(doc)
    return { doc }
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) }
  }
}

// Returns the last update of the shortest beginning of the list that cannot be loaded.
function firstBroken(root: DocumentRoot, kept: readonly PlacedUpdate[]): PlacedUpdate | undefined {
  let [good, bad] = [0, kept.length]
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2)
    if ("doc" in tryToLoad(root, kept.slice(0, middle))) good = middle
    else bad = middle
  }
  return kept[bad - 1]
}

function withoutWaiting(doc: Y.Doc, kept: readonly PlacedUpdate[]): readonly PlacedUpdate[] {
  const { pendingStructs, pendingDs } = doc.store
  if (pendingStructs === null && pendingDs === null) return kept
  const clocks = clocksOf(doc)
  const has = (update: Uint8Array) => {
    const { structs, ds } = Y.decodeUpdate(update)
    const isAdded = structs.every(({ id, length }) => id.clock + length <= (clocks.get(id.client) ?? 0))
    return isAdded && [...ds.clients].every(([client, ranges]) => endOf(ranges) <= (clocks.get(client) ?? 0))
  }
  return kept.filter(({ update }) => has(update))
}

function endOf(ranges: readonly { readonly clock: number; readonly len: number }[]): number {
  return ranges.reduce((end, { clock, len }) => Math.max(end, clock + len), 0)
}

function clocksOf(doc: Y.Doc): Map<number, number> {
  return Y.decodeStateVector(Y.encodeStateVector(doc))
}

function leftOut(updates: readonly Uint8Array[], kept: readonly PlacedUpdate[]): number[] {
  const places = new Set(kept.map(({ place }) => place))
  return updates.flatMap((_update, place) => (places.has(place) ? [] : [place]))
}
