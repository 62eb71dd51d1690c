import type { UntypedApp } from "../client/typed-client.ts"
import type { AppTypes } from "../wire/typed/app-config.ts"
import type { CollaborativeDocument } from "./collaborative-document.ts"
import type { GlobalDocumentOptions } from "./document-address.ts"
import type { EditorSchema } from "./guard/editor-schema.ts"

/** The client that `createCrdtClient` returns, with the collections and globals that have collaborative fields. */
export interface CrdtClient<Config extends AppTypes = UntypedApp> {
  readonly collections: CollaborativeCollections<DocumentsOf<Config, "collections">>
  readonly globals: CollaborativeGlobals<DocumentsOf<Config, "globals">>
  /**
   * Destroys all documents and deletes all offline copies, together with edits that were not sent. Call it when the
   * user signs out.
   */
  clear(): Promise<void>
}

/** The documents of a collection. `Fields` has its collaborative fields, as the generated types list them. */
export interface CollaborativeCollection<Fields> {
  /**
   * Opens the document of a record and connects it. Returns the same object for the same document until the object is
   * destroyed.
   *
   * crdt.collections.articles.document({ id, field: "body", locale: "sk" })
   */
  document(options: RecordOption & DocumentChoice<Fields>): CollaborativeDocument
}

/** The documents of a global. */
export interface CollaborativeGlobal<Fields> {
  /** Like `document` of a collection. The options may be left out if the global has one collaborative field. */
  document(...options: Optional<DocumentChoice<Fields>>): CollaborativeDocument
}

type DocumentsOf<Config extends AppTypes, Kind extends string> = Config extends { documents: infer Documents }
  ? Documents extends { [Name in Kind]: infer Resources }
    ? Resources
    : Record<never, never>
  : Record<never, never>

type CollaborativeCollections<Resources> = {
  readonly [Name in keyof Resources]: CollaborativeCollection<Resources[Name]>
}

type CollaborativeGlobals<Resources> = {
  readonly [Name in keyof Resources]: CollaborativeGlobal<Resources[Name]>
}

interface SchemaOption {
  /**
   * The schema of the editor of a rich text, such as a `Schema` of ProseMirror. The editor then never sees a text of
   * which it would lose something; the document is read-only instead.
   */
  readonly schema?: EditorSchema | undefined
}

interface RecordOption {
  /** The id of the record. */
  readonly id: string
}

// The arguments of a function that takes these options, which can be left out if each of them can.
type Optional<Options> = Record<never, never> extends Options ? [options?: Options] : [options: Options]

/**
 * The options that choose one document of a record, as a union with one member for each collaborative field. `Fields`
 * has the names of the locales by field, and `never` for a field that is not localized.
 */
type DocumentChoice<Fields> = string extends keyof Fields
  ? GlobalDocumentOptions
  : SchemaOption & { [Name in keyof Fields]: FieldOption<Fields, Name> & LocaleOption<Fields[Name]> }[keyof Fields]

// The only collaborative field of a resource needs no name.
type FieldOption<Fields, Name> = [keyof Fields] extends [Name]
  ? { readonly field?: Name | undefined }
  : { readonly field: Name }

// Without a locale, it is the client's.
type LocaleOption<Locale> = [Locale] extends [never]
  ? { readonly locale?: undefined }
  : { readonly locale?: Locale | undefined }
