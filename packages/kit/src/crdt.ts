export type { CollaborativeDocument, DocumentStatus } from "./crdt/collaborative-document.ts"
export { type CrdtOptions, createCrdtClient } from "./crdt/crdt-client.ts"
export type { DocumentStore, StoredUpdate, StoredUpdateFacts } from "./crdt/document-store.ts"
export type { CollaborativeCollection, CollaborativeGlobal, CrdtClient } from "./crdt/typed-crdt-client.ts"
