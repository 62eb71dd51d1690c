import * as Y from "yjs"
import { type ApplyErrors, applyRemote } from "../apply-remote.ts"
import type { EditorSchema } from "./editor-schema.ts"
import { findLoss } from "./find-loss.ts"
import { readContent } from "./read-text.ts"

interface GuardSettings {
  /** The replica to which the editor is bound. */
  readonly doc: Y.Doc
  readonly schema: EditorSchema
}

/**
 * Stands between a document and its editor. An editor deletes what it does not know as soon as it sees it, so an update
 * is first applied to a replica of the guard's own, and reaches the editor's only if the editor can hold the whole text.
 * Otherwise both stay as they are until the text is one that the editor can hold.
 */
export class SchemaGuard {
  /** The replica with everything except the edits that were made here while the document was read-only. */
  readonly replica: Y.Doc = new Y.Doc()
  readonly #settings: GuardSettings
  #problem: string | undefined
  /** The edits that were made here while the document was read-only. */
  #held: Uint8Array[] = []
  #released: Uint8Array[] = []

  constructor(settings: GuardSettings) {
    this.#settings = settings
  }

  /** Why the document is read-only; undefined if it is not. */
  get problem(): string | undefined {
    return this.#problem
  }

  /** The number of edits that are held back. */
  get held(): number {
    return this.#held.length
  }

  /** Applies an update that was not made here. `origin` is that of the transaction. Returns the errors of Yjs. */
  receive(update: Uint8Array, origin: unknown): ApplyErrors {
    const received = applyRemote(this.replica, update, origin)
    if (received.unreadable !== undefined) return received
    const { doc } = this.#settings
    const wasGood = this.#problem === undefined
    this.#problem = this.#findProblem()
    if (this.#problem !== undefined) return received
    return applyRemote(doc, wasGood ? update : this.#catchUp(), origin)
  }

  /** Takes an edit that was made here. Returns false if it is held back, because the document is read-only. */
  take(update: Uint8Array): boolean {
    if (this.#problem === undefined) Y.applyUpdate(this.replica, update)
    else this.#held.push(update)
    return this.#problem === undefined
  }

  /** Returns the edits that are no longer held back since the last call. */
  release(): readonly Uint8Array[] {
    const released = this.#released
    this.#released = []
    return released
  }

  #findProblem(): string | undefined {
    const [name] = this.replica.share.keys()
    if (name === undefined) return undefined
    const whole = this.#held.length === 0 ? this.replica : copyOf(this.replica, this.#held)
    const loss = findLoss(this.#settings.schema, readContent(whole.getXmlFragment(name)))
    return loss && `${loss} The document is read-only here, so that nothing of it is lost.`
  }

  // Takes the edits that were held back, and returns what the editor's replica lacks.
  #catchUp(): Uint8Array {
    const { doc } = this.#settings
    for (const update of this.#held) Y.applyUpdate(this.replica, update)
    this.#released.push(...this.#held)
    this.#held = []
    return Y.encodeStateAsUpdate(this.replica, Y.encodeStateVector(doc))
  }
}

function copyOf(replica: Y.Doc, updates: readonly Uint8Array[]): Y.Doc {
  const copy = new Y.Doc()
  for (const update of [Y.encodeStateAsUpdate(replica), ...updates]) Y.applyUpdate(copy, update)
  return copy
}
