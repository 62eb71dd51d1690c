import { headerLanguage } from "../client/live/header-language.ts"
import type { Transport } from "../client/transport/transport.ts"
import type { EditorSchema } from "./guard/editor-schema.ts"

/** The place of a document: a collaborative field of a record or of a global, and a locale if the field is localized. */
export interface DocumentAddress {
  readonly resourceType: "collection" | "global"
  readonly resource: string
  /** The id of the record, unless the resource is a global. */
  readonly recordId: string | undefined
  /** Undefined if the resource has only one collaborative field and the caller did not name it. */
  readonly field: string | undefined
  /** Undefined if the server chooses the locale. */
  readonly locale: string | undefined
}

/** The options that name a document of a collection. */
export interface RecordDocumentOptions extends GlobalDocumentOptions {
  /** The id of the record. */
  readonly id: string | number
}

/** The options that name a document of a global. */
export interface GlobalDocumentOptions {
  /** The collaborative field. It may be left out if the resource has only one. */
  readonly field?: string | undefined
  /** The locale of a localized field. By default, the client's locale. */
  readonly locale?: string | undefined
  /** The schema of the editor of a rich text, such as a `Schema` of ProseMirror. */
  readonly schema?: EditorSchema | undefined
}

// The part of the browser's `navigator` that this file uses; some versions of Node do not have it.
declare const navigator: { readonly language: string } | undefined

type Place = Pick<DocumentAddress, "resourceType" | "resource">

/** Returns the address of a document. The client's locale is fixed here, so a later change of it has no effect. */
export function addressOf(
  place: Place,
  { id, field, locale }: Partial<RecordDocumentOptions>,
  transport: Transport,
): DocumentAddress {
  const isMissing = id === undefined || id === null || id === ""
  if (place.resourceType === "collection" && isMissing) {
    throw new TypeError(`A document of "${place.resource}" needs the id of a record: document({ id }).`)
  }
  const language = headerLanguage(transport.config)
  // The language of the header is not sent as a locale, because it may list several languages or name none of the app's
  // locales.
  const chosen = transport.locale === language ? undefined : transport.locale
  return { ...place, recordId: isMissing ? undefined : String(id), field, locale: locale ?? chosen }
}

/** Returns a text that is equal for equal addresses only. */
export function addressKey(address: DocumentAddress, transport: Transport): string {
  const { resourceType, resource, recordId, field, locale } = address
  // Where the server chooses the locale, it does so by the language that the client or the browser sends.
  const language = locale ?? transport.locale ?? (typeof navigator === "object" ? navigator.language : undefined)
  return JSON.stringify([resourceType, resource, recordId ?? null, field ?? null, language ?? null])
}

/** Returns the path to which the edits of a document are sent. */
export function updatesPath({ resourceType, resource, recordId, field, locale }: DocumentAddress): string {
  const owner = resourceType === "global" ? ["globals", resource] : [resource, recordId ?? ""]
  const segments = ["crdt", ...owner, field ?? "", "updates"].map(encodeURIComponent)
  const query = locale === undefined ? "" : `locale=${encodeURIComponent(locale)}&`
  return `/${segments.join("/")}?${query}`
}
