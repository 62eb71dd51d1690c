import type { TemporaryFailure } from "./temporary-failure.ts"

/** The kind of Yjs type that a document's root is: an XML fragment, a text, or a map. */
export type DocumentShape = "richText" | "text" | "json"

/** The root of a document, which holds the value of one field. */
export interface DocumentRoot {
  /** The name of the field. */
  readonly name: string
  readonly shape: DocumentShape
}

/** The error of a call that took too much time or memory. The same call for the same document is likely to fail again. */
export interface ExceededLimit extends TemporaryFailure {
  readonly exceededLimit: "time" | "memory"
}

/** The error of a call that Yjs could not complete with these updates. The same call will always fail. */
export interface UnreadableDocument extends Error {
  readonly isUnreadable: true
}

/** The part of a document that another replica lacks. */
export interface DocumentDifference {
  /** The update that brings the other replica up to date. */
  readonly update: Uint8Array
  /** The state vector of the whole document. */
  readonly stateVector: Uint8Array
}

/** A part of an update: what one client (a session of an editor) has added, from one of its numbers up to another. */
export interface ClientRange {
  readonly client: number
  readonly from: number
  /** The number after the last one. */
  readonly to: number
}

/** How far the numbers of each client go: the number that the client uses next. */
export type Clocks = ReadonlyMap<number, number>

/** The numbers in an update. */
export interface UpdateFacts {
  /** The ranges that the update adds. Those of a client are in ascending order. */
  readonly ranges: readonly ClientRange[]
  /** The clocks that a document must have, together with the update, so that all that it refers to is there. */
  readonly needs: Clocks
  /** The clocks that a document must have, together with the update, so that all that it deletes is there. */
  readonly deletes: Clocks
  /** True if parts of the update refer to each other in a circle, so that they can never be applied. */
  readonly isCircular: boolean
}

/** The result of an attempt to load a document. */
export interface DocumentSurvey {
  /** The places, in the list of the document's updates, of those without which the others can be loaded and read. */
  readonly broken: readonly number[]
  /** Why the document cannot be loaded with them. */
  readonly reason: string | undefined
  /** The clocks of the document without the broken updates. */
  readonly clocks: Clocks
}

/** Why a client's update is refused, or what it does to the names in a rich text. */
export type CheckedUpdate = { readonly refusal: string } | UpdateNames

/** The names of nodes and marks are `node paragraph` and `mark strong`. */
export interface UpdateNames {
  readonly refusal?: undefined
  /** The names that the update may add. */
  readonly added: readonly string[]
  /** True if the update may remove something. */
  readonly removes: boolean
}

/** The names of a rich text, and those of which an update would delete something. */
export interface DeletedNames {
  readonly names: readonly string[]
  readonly deleted: readonly string[]
}

/**
 * Reads and makes the updates of collaborative documents, in the binary format of Yjs. A document is passed as the list
 * of its updates, in any order. Nothing is kept between two calls. Every call has a time limit, so that a hostile
 * document cannot hold up the others.
 */
export interface DocumentCodec {
  /** Returns the update that makes a new document with this value. */
  create(root: DocumentRoot, value: unknown): Promise<Uint8Array>
  /**
   * Returns why a client's update is refused: it cannot be decoded, or it changes something other than this root.
   * Otherwise returns what the update does to names.
   */
  check(root: DocumentRoot, update: Uint8Array): Promise<CheckedUpdate>
  /**
   * Returns the value of the field that the document holds: "" for an empty text, and a rich text without content for an
   * empty one. The order of an object's members, and of a text's marks, is not part of the value.
   */
  read(root: DocumentRoot, updates: readonly Uint8Array[]): Promise<unknown>
  /**
   * Returns the smallest update after which the document has this value; undefined if the document has this value
   * already.
   */
  edit(root: DocumentRoot, updates: readonly Uint8Array[], value: unknown): Promise<Uint8Array | undefined>
  /** Returns the names in a rich text document, and those of which an update to it deletes something. */
  deletedNames(root: DocumentRoot, updates: readonly Uint8Array[], update: Uint8Array): Promise<DeletedNames>
  /** Returns the document as one update, without what its deleted parts contained. */
  compact(updates: readonly Uint8Array[]): Promise<Uint8Array>
  /** Returns what a replica with this state vector lacks. Without a state vector, the replica is empty. */
  differenceFrom(updates: readonly Uint8Array[], stateVector: Uint8Array | undefined): Promise<DocumentDifference>
  /** Returns the numbers in a checked update. */
  factsOf(update: Uint8Array): Promise<UpdateFacts>
  /** Returns an update without what a document with these clocks has. */
  cut(update: Uint8Array, known: Clocks): Promise<Uint8Array>
  /** Loads and reads a document, and finds the updates that make this impossible, or wait for missing ones. */
  survey(root: DocumentRoot, updates: readonly Uint8Array[]): Promise<DocumentSurvey>
  /** Returns the clocks in a state vector. */
  clocksIn(stateVector: Uint8Array): Clocks
  /** Returns the state vector with these clocks. */
  stateVectorOf(clocks: Clocks): Uint8Array
  /** Ends the codec's threads. The calls that wait for them fail. */
  close(): Promise<void>
}
