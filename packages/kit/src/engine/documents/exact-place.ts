import type { DocumentRoot } from "../../ports/document-codec.ts"
import type { AppSchema, Resource } from "../../schema/compile/resource.ts"
import type { DocumentPlace } from "../../sql/documents/document-place.ts"
import { resourceIn } from "../context/locale.ts"
import type { DocumentAddress } from "./document-address.ts"

/** The names by which a document's place is stored. */
interface PlaceNames {
  readonly kind: Resource["kind"]
  readonly resource: string
  readonly recordId: string
  readonly field: string
  /** Empty if the field is not localized. */
  readonly locale: string
}

/** Returns the place of a document, in the working copy of its record and in exactly one locale. */
export function exactPlace(schema: AppSchema, { resource, field, recordId, locale }: DocumentAddress): DocumentPlace {
  const names = { kind: resource.kind, resource: resource.name, recordId, field: field.name, locale: locale ?? "" }
  const place = findPlace(schema, names)
  if (place === undefined) throw new Error(`The field "${field.name}" of "${resource.name}" has no documents.`)
  return place
}

/** Returns the place with these names; undefined if it has no documents, or no longer. */
export function findPlace(
  schema: AppSchema,
  { kind, resource: name, recordId, field: fieldName, locale }: PlaceNames,
): DocumentPlace | undefined {
  const { locales } = schema
  if (locale !== "" && !locales.all.includes(locale)) return undefined
  const exact = schema.inLocale({ locale: locale === "" ? locales.default : locale, hasFallback: false })
  if (!exact[kind === "global" ? "globals" : "collections"].has(name)) return undefined
  const resource = resourceIn({ schema: exact }, { kind, name })
  const field = resource.fields.get(fieldName)
  const isPlace = field?.collaborative !== undefined && (field.localized === undefined) === (locale === "")
  return field && isPlace ? { resource, field, recordId, locale } : undefined
}

/** Returns the root of the documents of a field. */
export function rootOf({ field: { name, collaborative } }: DocumentPlace): DocumentRoot {
  if (collaborative === undefined) throw new Error(`The field "${name}" is not collaborative.`)
  return { name, shape: collaborative }
}
