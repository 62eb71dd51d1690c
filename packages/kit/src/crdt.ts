export type { CollaborativeDocument, DocumentStatus } from "./crdt/collaborative-document.ts"
export {
  type CollaborativeCollection,
  type CollaborativeGlobal,
  type CrdtClient,
  type CrdtOptions,
  createCrdtClient,
} from "./crdt/crdt-client.ts"
export type { GlobalDocumentOptions, RecordDocumentOptions } from "./crdt/document-address.ts"
export type { DocumentStore, StoredUpdate, StoredUpdateFacts } from "./crdt/document-store.ts"
