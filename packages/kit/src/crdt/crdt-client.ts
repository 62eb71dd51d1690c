import { CLIENT_PARTS, type ClientParts } from "../client/client-parts.ts"
import { byName } from "../client/resources/by-name.ts"
import { refuseUnknown } from "../client/transport/refuse-unknown.ts"
import type { Client, UntypedApp } from "../client/typed-client.ts"
import type { AppTypes } from "../wire/typed/app-config.ts"
import type { CollaborativeDocument } from "./collaborative-document.ts"
import { addressKey, addressOf, type RecordDocumentOptions } from "./document-address.ts"
import type { DocumentStore } from "./document-store.ts"
import type { EditorSchema } from "./guard/editor-schema.ts"
import { OpenDocument } from "./open-document.ts"
import { StoreQueue } from "./store-queue.ts"
import type { CrdtClient } from "./typed-crdt-client.ts"

/** The options for collaborative documents. */
export interface CrdtOptions {
  /**
   * Keeps documents for offline use. By default, browsers keep them in IndexedDB, and other platforms do not keep them.
   * False turns it off.
   */
  readonly store?: DocumentStore | false | undefined
  /** The least time between two requests that only contain the user's cursor, in milliseconds; 100 by default. */
  readonly awarenessIntervalMs?: number | undefined
}

const DEFAULT_INTERVAL_MS = 100

/**
 * Creates a client for collaborative documents, which uses the connection of a client.
 *
 * const { doc, awareness } = createCrdtClient(client).collections.articles.document({ id })
 */
export function createCrdtClient<Config extends AppTypes = UntypedApp>(
  client: Client<Config>,
  options?: CrdtOptions,
): CrdtClient<Config> {
  const parts = partsOf(client)
  const { transport } = parts
  const { store, awarenessIntervalMs = DEFAULT_INTERVAL_MS } = checked({ ...transport.config.crdt, ...options })
  const queue = queueFor(store, transport.urlOf(""))
  const open = new Map<string, OpenDocument>()
  let lastUser: string | null | undefined
  const onUser = (userId: string | null) => {
    if (userId !== lastUser) queue?.removeOthers(userId).catch(() => undefined)
    lastUser = userId
  }
  parts.user.onChange(() => {
    for (const document of open.values()) document.onUserChange()
  })
  const documentsOf = (resourceType: "collection" | "global") => (resource: string) => ({
    document: (given?: Partial<RecordDocumentOptions>): CollaborativeDocument => {
      refuseUnknown({ ...given }, ["id", "field", "locale", "schema"])
      const address = addressOf({ resourceType, resource }, { ...given }, transport)
      const key = addressKey(address, transport)
      const known = open.get(key)
      const schema = given?.schema
      if (known) return sameSchema(known, schema)
      const onDestroyed = () => void open.delete(key)
      const made = new OpenDocument({
        parts,
        address,
        key,
        queue,
        awarenessIntervalMs,
        schema,
        onUser,
        onDestroyed,
      })
      open.set(key, made)
      return made
    },
  })
  const crdt = {
    collections: byName(documentsOf("collection")),
    globals: byName(documentsOf("global")),
    clear: async () => {
      await Promise.all([...open.values()].map((document) => document.discard()))
      await queue?.run((opened) => opened.clear())
    },
  }
  // The cast is safe: every name is accepted at run time, and only the types know which names exist.
  return crdt as unknown as CrdtClient<Config>
}

// An editor is only safe in a document that knows what the editor can hold.
function sameSchema(known: OpenDocument, schema: EditorSchema | undefined): OpenDocument {
  if (schema === undefined || schema === known.schema) return known
  throw new TypeError("The document is already open without this schema. Pass the schema where it is first opened.")
}

function partsOf(client: object): ClientParts {
  const parts: unknown = Reflect.get(Object(client), CLIENT_PARTS)
  if (parts === undefined)
    throw new TypeError('createCrdtClient needs a client that createClient of "kit/client" made.')
  // The cast is safe: only `createClient` sets a member with this key.
  return parts as ClientParts
}

function checked(options: CrdtOptions): CrdtOptions {
  refuseUnknown(options, ["store", "awarenessIntervalMs"])
  const { awarenessIntervalMs = 0 } = options
  if (awarenessIntervalMs >= 0) return options
  throw new TypeError("awarenessIntervalMs must be a number of milliseconds, 0 or more.")
}

// The code for IndexedDB is loaded on the first use of the store.
function queueFor(store: CrdtOptions["store"], address: string): StoreQueue | undefined {
  if (store) return new StoreQueue(() => Promise.resolve(store))
  if (store === false || !("indexedDB" in globalThis)) return undefined
  let opened: DocumentStore | undefined
  return new StoreQueue(async () => {
    const { indexedDbStore } = await import("./indexed-db-store.ts")
    opened ??= indexedDbStore(`kit ${address}`)
    return opened
  })
}
