import type { Awareness } from "y-protocols/awareness"
import type { Doc } from "yjs"
import type { AppTypes } from "../wire/typed/app-config.ts"

/** The client for collaborative documents that `createCrdtClient(client)` returns. */
export interface CrdtClient<Config extends AppTypes> {
  /** The collections that have collaborative fields: `crdt.collections.articles.document({ id, field: "body" })`. */
  readonly collections: CollectionDocuments<DocumentsOf<Config, "collections">>
  /** The globals that have collaborative fields: `crdt.globals.about.document({ field: "text" })`. */
  readonly globals: GlobalDocuments<DocumentsOf<Config, "globals">>
  /** Closes all documents, and deletes what is stored of them on this device, edits that were not sent included. */
  clear(): Promise<void>
}

/** A document of a collaborative field, which editors are bound to. */
export interface CollaborativeDocument {
  readonly doc: Doc
  readonly awareness: Awareness
}

type DocumentsOf<Config extends AppTypes, Kind extends string> = Config extends { documents: infer Documents }
  ? Documents extends { [Name in Kind]: infer Resources }
    ? Resources
    : Record<never, never>
  : Record<never, never>

type CollectionDocuments<Resources> = {
  readonly [Name in keyof Resources]: {
    /** Returns the document of a record's field. An address that is open already returns the same document again. */
    document(options: { readonly id: string } & DocumentOptions<Resources[Name]>): CollaborativeDocument
  }
}

type GlobalDocuments<Resources> = {
  readonly [Name in keyof Resources]: {
    /** Returns the document of a global's field. An address that is open already returns the same document again. */
    document(...options: OptionsArgument<DocumentOptions<Resources[Name]>>): CollaborativeDocument
  }
}

// The options can be left out if all of them can.
type OptionsArgument<Options> = Record<never, never> extends Options ? [options?: Options] : [options: Options]

/**
 * The options that choose one document of a record, as a union with one member for each collaborative field. `Fields`
 * has the locale names by field; `never` for a field that is not localized.
 */
type DocumentOptions<Fields> = string extends keyof Fields
  ? AnyDocumentOptions
  : { [Name in keyof Fields]: FieldOption<Fields, Name> & LocaleOption<Fields[Name]> }[keyof Fields]

interface AnyDocumentOptions {
  readonly field?: string | undefined
  readonly locale?: string | undefined
}

// A resource with one collaborative field needs no name of it.
type FieldOption<Fields, Name> = [keyof Fields] extends [Name]
  ? { readonly field?: Name | undefined }
  : { readonly field: Name }

type LocaleOption<Locale> = [Locale] extends [never]
  ? { readonly locale?: undefined }
  : { readonly locale?: Locale | undefined }
