import { createYjsCodec } from "../../drivers/yjs/yjs-codec.ts"
import type { Engine } from "../../engine/engine.ts"
import { StoredDocuments } from "../../features/documents/stored-documents.ts"
import { collaborativeFields } from "../../features/documents/values/unwritten-search.ts"
import type { Database } from "../../ports/database.ts"
import type { DocumentCodec } from "../../ports/document-codec.ts"
import type { Logger } from "../../ports/logger.ts"
import type { SessionLoader } from "../../ports/session-provider.ts"
import type { AppInputs } from "../app-inputs.ts"
import type { Part } from "../part-list.ts"

interface DocumentsDependencies extends Pick<AppInputs, "overrides"> {
  readonly logger: Logger
  readonly database: Database
  readonly engine: Engine
  readonly sessionLoader: SessionLoader
}

interface OpenDocuments {
  /** The shared documents; undefined if the app has no collaborative field. */
  readonly documents: StoredDocuments | undefined
  readonly documentCodec: DocumentCodec | undefined
}

/** The shared documents of the app's collaborative fields. Closing writes the values that are still pending. */
export const documentsPart: Part<DocumentsDependencies, OpenDocuments> = {
  open: ({ engine, database, sessionLoader, logger, overrides }) => {
    if (collaborativeFields(engine.schema).length === 0) return { documents: undefined, documentCodec: undefined }
    const codec = createYjsCodec()
    const callHandler = <Result>(call: () => Result) => overrides.callHandler?.(call) ?? call()
    const documents = new StoredDocuments({ engine, database, codec, sessionLoader, logger, callHandler })
    documents.recover()
    return { documents, documentCodec: codec }
  },
  close: async ({ documents, documentCodec }) => {
    await documents?.close()
    await documentCodec?.close()
  },
}
