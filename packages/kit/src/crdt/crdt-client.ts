import { CLIENT_PARTS, type ClientParts } from "../client/client-parts.ts"
import { byName } from "../client/resources/by-name.ts"
import type { CollaborativeDocument } from "./collaborative-document.ts"
import { addressKey, addressOf, type GlobalDocumentOptions, type RecordDocumentOptions } from "./document-address.ts"
import type { DocumentStore } from "./document-store.ts"
import { OpenDocument } from "./open-document.ts"
import { removeOthers } from "./remove-others.ts"
import { StoreQueue } from "./store-queue.ts"

/** The options for collaborative documents. */
export interface CrdtOptions {
  /**
   * Keeps documents for offline use. By default, browsers keep them in IndexedDB, and other platforms do not keep them.
   * False turns it off.
   */
  readonly store?: DocumentStore | false | undefined
  /** The least time between two requests that only tell the user's cursor, in milliseconds; 100 by default. */
  readonly awarenessIntervalMs?: number | undefined
}

/** The documents of a collection. */
export interface CollaborativeCollection {
  /**
   * Opens the document of a record and connects it. Returns the same object for the same document until the object is
   * destroyed.
   */
  document(options: RecordDocumentOptions): CollaborativeDocument
}

/** The documents of a global. */
export interface CollaborativeGlobal {
  /** Like `document` of a collection. */
  document(options?: GlobalDocumentOptions): CollaborativeDocument
}

/** The client that `createCrdtClient` returns. */
export interface CrdtClient {
  readonly collections: Readonly<Record<string, CollaborativeCollection>>
  readonly globals: Readonly<Record<string, CollaborativeGlobal>>
  /**
   * Destroys all documents and deletes all offline copies, together with edits that were not sent. Call it when the
   * user signs out.
   */
  clear(): Promise<void>
}

const DEFAULT_INTERVAL_MS = 100

/**
 * Creates a client for collaborative documents, which uses the connection of a client.
 *
 * const { doc, awareness } = createCrdtClient(client).collections.articles.document({ id })
 */
export function createCrdtClient(client: object, options?: CrdtOptions): CrdtClient {
  const parts = partsOf(client)
  const { transport } = parts
  const { store, awarenessIntervalMs = DEFAULT_INTERVAL_MS } = checked({ ...transport.config.crdt, ...options })
  const queue = queueFor(store, transport.urlOf(""))
  const open = new Map<string, OpenDocument>()
  let lastUser: string | null | undefined
  const onUser = (userId: string | null) => {
    if (userId !== lastUser) queue?.run((opened) => removeOthers(opened, userId)).catch(() => undefined)
    lastUser = userId
  }
  const documentsOf =
    (resourceType: "collection" | "global") =>
    (resource: string): CollaborativeCollection => ({
      document: (given) => {
        const address = addressOf({ resourceType, resource }, { ...given }, transport)
        const key = addressKey(address, transport)
        const known = open.get(key)
        if (known) return known
        const onDestroyed = () => void open.delete(key)
        const made = new OpenDocument({
          parts,
          address,
          key,
          queue,
          awarenessIntervalMs,
          onUser,
          onDestroyed,
        })
        open.set(key, made)
        return made
      },
    })
  return {
    collections: byName(documentsOf("collection")),
    // The cast is safe: the record's id is required for collections only, and missing options are like empty ones.
    globals: byName(documentsOf("global")) as Readonly<Record<string, CollaborativeGlobal>>,
    clear: async () => {
      await Promise.all([...open.values()].map((document) => document.discard()))
      await queue?.run((opened) => opened.clear())
    },
  }
}

function partsOf(client: object): ClientParts {
  const parts: unknown = Reflect.get(Object(client), CLIENT_PARTS)
  if (parts === undefined)
    throw new TypeError('createCrdtClient needs a client that createClient of "kit/client" made.')
  // The cast is safe: only `createClient` sets a member with this key.
  return parts as ClientParts
}

function checked(options: CrdtOptions): CrdtOptions {
  const { awarenessIntervalMs = 0 } = options
  if (awarenessIntervalMs >= 0) return options
  throw new TypeError("awarenessIntervalMs must be a number of milliseconds, 0 or more.")
}

// The code for IndexedDB is loaded on the first use of the store.
function queueFor(store: CrdtOptions["store"], address: string): StoreQueue | undefined {
  if (store) return new StoreQueue(() => Promise.resolve(store))
  if (store === false || !("indexedDB" in globalThis)) return undefined
  let opened: Promise<DocumentStore> | undefined
  return new StoreQueue(() => {
    opened ??= import("./indexed-db-store.ts").then(({ indexedDbStore }) => indexedDbStore(`kit ${address}`))
    return opened
  })
}
