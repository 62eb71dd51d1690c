import type { Collection, Global, KitConfig, Session } from "kit"
import { onTestFinished } from "vitest"
import * as Y from "yjs"
import { type OpenedApp, openApp } from "../../../packages/kit/src/app/create-app.ts"
import type { DocumentAddress } from "../../../packages/kit/src/engine/documents/document-address.ts"
import type { StoredDocuments } from "../../../packages/kit/src/features/documents/stored-documents.ts"
import { GLOBAL_ROW_ID } from "../../../packages/kit/src/schema/compile/resource.ts"
import { createTestDatabase, type TestDatabase } from "../test-database.ts"
import { poolOfThisRun } from "./test-app.ts"

/** An app with collaborative fields, on a database that other apps may use at the same time. */
export interface DocumentApp {
  readonly opened: OpenedApp
  readonly documents: StoredDocuments
  readonly collections: Record<string, any>
  readonly globals: Record<string, any>
  readonly logged: readonly { message: string; fields: unknown }[]
  address(resource: string, recordId?: string, more?: { field?: string; locale?: string }): DocumentAddress
  /** Opens a document and returns a replica of it. */
  edit(address: DocumentAddress, session?: Session | null): Promise<TestEditor>
}

interface WorldOptions {
  readonly resources: readonly (Collection<any> | Global<any>)[]
  readonly database?: TestDatabase
  readonly config?: KitConfig
}

/** Creates an empty database, which is dropped with the test. */
export async function documentDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  return database
}

/** Starts an app. It stops with the test. */
export async function documentApp({ resources, database, config }: WorldOptions): Promise<DocumentApp> {
  const { url } = database ?? (await documentDatabase())
  const logged: { message: string; fields: unknown }[] = []
  const log = (message: string, fields: unknown) => void logged.push({ message, fields })
  const opened = await openApp({
    resources: resources.map(({ definition }) => ({ file: `${definition.name}.ts`, definition })),
    config: {
      logger: { info: log, warn: log, error: log },
      sessions: SESSIONS,
      ...config,
      db: { url, ...poolOfThisRun(), ...config?.db },
    },
    root: "/nowhere",
  })
  onTestFinished(() => opened.app.stop())
  const { documents } = opened
  if (documents === undefined) throw new Error("The app has no collaborative field.")
  const { schema, system } = opened.app
  return {
    opened,
    documents,
    // The tests call the app without its generated types.
    collections: system.collections as Record<string, any>,
    globals: system.globals as Record<string, any>,
    logged,
    address: (name, recordId = GLOBAL_ROW_ID, { field, locale } = {}) => {
      const resource = schema.collections.get(name) ?? schema.globals.get(name)
      const fields = [...(resource?.fields.values() ?? [])].filter(({ collaborative }) => collaborative)
      const found = fields.find((each) => field === undefined || each.name === field)
      if (resource === undefined || found === undefined) throw new Error(`"${name}" has no such field.`)
      return { resource, field: found, recordId, locale }
    },
    edit: async (address, session = null) => {
      const { id } = await documents.open(address)
      const editor = new TestEditor({ documents, address, id, session })
      await editor.pull()
      return editor
    },
  }
}

// Nobody signs in: tests pass sessions along with the edits.
const SESSIONS = {
  read: () => null,
  load: async (id: string): Promise<Session | null> => ({ user: { id, role: "loaded" } }),
}

interface EditorParts {
  readonly documents: StoredDocuments
  readonly address: DocumentAddress
  readonly id: string
  readonly session: Session | null
}

/** A replica of a document, as an editor's client holds it. */
export class TestEditor {
  readonly doc = new Y.Doc()
  readonly id: string
  readonly #parts: EditorParts

  constructor(parts: EditorParts) {
    this.#parts = parts
    this.id = parts.id
  }

  get text(): Y.Text {
    return this.doc.getText(this.#parts.address.field.name)
  }

  get map(): Y.Map<unknown> {
    return this.doc.getMap(this.#parts.address.field.name)
  }

  /** Brings the replica up to date. */
  async pull(): Promise<void> {
    const sync = await this.#parts.documents.sync(this.id, Y.encodeStateVector(this.doc))
    if (sync === undefined) throw new Error("The document is gone.")
    Y.applyUpdate(this.doc, sync.update)
  }

  /** Returns the update of a change, which is not sent. */
  change(edit: () => void): Uint8Array {
    const before = Y.encodeStateVector(this.doc)
    this.doc.transact(edit)
    return Y.encodeStateAsUpdate(this.doc, before)
  }

  /** Changes the document and sends the update. Resolves after the commit, to the number of the update. */
  send(edit: () => void): Promise<number> {
    return this.append(this.change(edit))
  }

  async append(update: Uint8Array): Promise<number> {
    const { documents, address, session } = this.#parts
    return (await documents.append(address, this.id, { update, session })).seq
  }

  /** Inserts text at a position; at the end unless given. */
  type(text: string, at = this.text.length): Promise<number> {
    return this.send(() => this.text.insert(at, text))
  }

  async readText(): Promise<string> {
    await this.pull()
    return this.text.toString()
  }
}
