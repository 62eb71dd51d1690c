import { ALL_LOCALES } from "../../schema/compile/locales.ts"
import { GLOBAL_ROW_ID, type Resource, type ResourceField } from "../../schema/compile/resource.ts"
import { ApiError, invalid } from "../../wire/errors/api-error.ts"
import { didYouMean } from "../../wire/errors/did-you-mean.ts"
import { suggestResource } from "../access/known-resources.ts"
import { inLocale } from "../context/locale.ts"
import type { OperationContext } from "../context/operation-context.ts"
import { requireId } from "../read/by-id.ts"

/** The place of a collaborative document: one collaborative field of one record, in one locale if it is localized. */
export interface DocumentAddress {
  readonly resource: Resource
  readonly field: ResourceField
  /** The id of the record; of a global, the id of its only row. */
  readonly recordId: string
  /** Undefined if the field is not localized. */
  readonly locale: string | undefined
}

/** Returns a text that is equal for equal addresses only. */
export function documentKey({ resource, field, recordId, locale }: DocumentAddress): string {
  return JSON.stringify([resource.kind, resource.name, recordId, field.name, locale ?? ""])
}

/** The names by which a caller requests a document. Nothing is known about them yet. */
export interface NamedDocument {
  readonly resourceType: "collection" | "global"
  readonly resource: string
  /** The id of the record. Undefined if the resource is a global. */
  readonly recordId: string | undefined
  /** Undefined for the only collaborative field of the resource. */
  readonly field: string | undefined
  /** Ignored if the field is not localized, because a client sends its own locale with every request. */
  readonly locale: string | undefined
}

/** Returns the collection or global that the caller names. Throws NOT_FOUND if it does not exist. */
export async function resourceOfDocument(ctx: OperationContext, named: NamedDocument): Promise<Resource> {
  const { resourceType, resource: name } = named
  const known = resourceType === "global" ? ctx.schema.globals : ctx.schema.collections
  const resource = known.get(name)
  if (resource) return resource
  const remedy = await suggestResource(ctx, name, known)
  throw new ApiError("NOT_FOUND", { message: `There is no ${resourceType} "${name}".${remedy}` })
}

/** Returns the context in the locale of the document. Throws if the caller names no locale of the app. */
export function inDocumentLocale(ctx: OperationContext, { locale }: NamedDocument): OperationContext {
  const located = inLocale(ctx, { locale })
  if (located.locale === ALL_LOCALES) throw invalid("locale", "A document is in one locale. Name it.")
  return located
}

/** Returns the id of the document's record. Throws NOT_FOUND, without a query, if the text cannot be an id. */
export function recordOfDocument(resource: Resource, { recordId }: NamedDocument): string {
  return resource.kind === "global" ? GLOBAL_ROW_ID : requireId(resource, recordId)
}

/**
 * Returns the address of a field that the caller may read in the record. Throws if it cannot be edited in a document of
 * this locale.
 */
export function addressInRecord(
  { schema, locale }: OperationContext,
  { resource, field, recordId }: Omit<DocumentAddress, "locale">,
): DocumentAddress {
  if (field.collaborative === undefined) {
    throw invalid("field", `"${field.name}" is not collaborative. Declare it with .collaborative().`)
  }
  if (field.localized === undefined) return { resource, field, recordId, locale: undefined }
  // Without fallbacks, because the document of a locale begins with the value of this locale and no other.
  const own = schema.inLocale({ locale, hasFallback: false })
  const located = own[resource.kind === "global" ? "globals" : "collections"].get(resource.name) ?? resource
  return { resource: located, field: located.fields.get(field.name) ?? field, recordId, locale }
}

/**
 * Creates the error for a field that does not exist, or that the caller may not read in the record. It suggests only
 * fields that everyone may read who may read the record.
 */
export function noSuchDocument({ fields }: Resource, name: string | undefined): ApiError {
  if (name === undefined) return new ApiError("NOT_FOUND", { message: "Name the collaborative field of the document." })
  const open = [...fields.values()].filter(isOpenlyCollaborative).map((field) => field.name)
  return new ApiError("NOT_FOUND", {
    message: `There is no collaborative field of this name.${didYouMean(name, open)}`,
  })
}

/**
 * Returns the field that is meant if a caller names none: the only collaborative field, or the only one that everyone
 * may read. So the answer does not depend on fields that a caller may not know.
 */
export function onlyCollaborativeField({ fields }: Resource): ResourceField | undefined {
  const all = [...fields.values()].filter(({ collaborative }) => collaborative !== undefined)
  const candidates = all.length === 1 ? all : all.filter(isOpenlyCollaborative)
  return candidates.length === 1 ? candidates[0] : undefined
}

function isOpenlyCollaborative({ collaborative, hidden, access: { read = true } }: ResourceField): boolean {
  return collaborative !== undefined && !hidden && read === true
}
