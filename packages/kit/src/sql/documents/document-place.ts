import type { Resource, ResourceField } from "../../schema/compile/resource.ts"
import { fieldSql } from "../text/field-sql.ts"
import { quote } from "../text/fragment.ts"

/**
 * The record's field that a document belongs to, as the tables store it. A localized field is read in exactly one
 * locale, without its fallbacks.
 */
export interface DocumentPlace {
  readonly resource: Resource
  readonly field: ResourceField
  readonly recordId: string
  /** Empty if the field is not localized. */
  readonly locale: string
}

const ROW = quote("_record")

/** Returns the SQL condition that a document belongs to the place whose values are bound as `$1` to `$5`. */
export const IS_AT_PLACE = "(resource_kind, resource, record, field, locale) = ($1, $2, $3, $4, $5)"

/** Returns the values of the parameters `$1` to `$5` that identify a place. */
export function placeValues({ resource, recordId, field, locale }: DocumentPlace): readonly unknown[] {
  return [resource.kind, resource.name, recordId, field.name, locale]
}

/** Returns the SQL that selects columns of the record, unless it is soft-deleted. `id` is the placeholder of its id. */
export function selectFromRecord({ resource }: DocumentPlace, columns: string, id: string): string {
  const { table, deletedAt } = resource
  const isActive = deletedAt ? ` and ${ROW}.${quote(deletedAt.name)} is null` : ""
  return `select ${columns} from ${quote(table)} ${ROW} where ${ROW}.${quote(resource.id.name)} = ${id}${isActive}`
}

/** Returns the SQL of the field's value in the record. */
export function valueSql({ field }: DocumentPlace): string {
  return fieldSql(ROW, field)
}

/** The hash of the value null. */
export const HASH_OF_NULL = ""

/** Returns the SQL of the hash of the field's value in the record, by which a change is noticed. */
export function hashSql(place: DocumentPlace): string {
  const bytes = `convert_to((${valueSql(place)})::text, 'UTF8')`
  return `coalesce(encode(sha256(${bytes}), 'hex'), '${HASH_OF_NULL}')`
}
