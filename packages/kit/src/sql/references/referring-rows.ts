import type { Statement } from "../../ports/database.ts"
import type { FieldReference, Resource, ResourceField } from "../../schema/compile/resource.ts"
import { quote } from "../text/fragment.ts"
import { REFERENCES_TABLE } from "./reference-table.ts"
import { columnPath } from "./referenced-table.ts"

/** The parts of one field by which records refer to a record. */
interface ReferringParts {
  readonly resource: Resource
  readonly field: ResourceField
  readonly parts: readonly FieldReference[]
}

/** The record to which others refer, and the number of them to lock. */
interface ReferencedRecord {
  readonly table: string
  readonly id: string
  readonly limit: number | undefined
}

/** Locks the records that refer to this record by these parts, in the order of their ids. */
export function lockReferringByParts(
  { resource: { table, id: key }, field, parts }: ReferringParts,
  { table: target, id, limit }: ReferencedRecord,
): Statement {
  const paths = parts.map((part) => columnPath(field, part))
  const referring = `select record::${key.type.sqlType} from ${REFERENCES_TABLE}
    where target_table = $1 and target = $2 and "table" = $3 and field = $4 and path = any($5)`
  return {
    text: `select ${quote(key.name)} from ${quote(table)} where ${quote(key.name)} in (${referring})
    order by ${quote(key.name)} limit $6 for update`,
    values: [target, id, table, field.name, paths, limit ?? null],
  }
}

/** A field of one record. */
export interface FieldOfRecord {
  readonly resource: Resource
  readonly field: ResourceField
  readonly id: string
}

/** Selects the table and the id of each record to which the parts of a record's field refer. */
export function selectReferenced({ resource: { table }, field, id }: FieldOfRecord): Statement {
  return {
    text: `select distinct target_table, target from ${REFERENCES_TABLE} where "table" = $1 and record = $2 and field = $3`,
    values: [table, id, field.name],
  }
}

/** Selects the stored JSON of a record's field; that of a localized field has a value for each locale. */
export function selectStoredJson({ resource: { table, id: key }, field, id }: FieldOfRecord): Statement {
  return { text: `select ${quote(field.name)} from ${quote(table)} where ${quote(key.name)} = $1`, values: [id] }
}
