import type { Statement } from "../ports/database.ts"
import type { Link, LinkTable, Resource, ResourceField, ToManyRelation } from "../schema/resource.ts"
import { quote } from "./fragment.ts"

/** Joins a record with others; those that are joined already stay so. */
export function insertLinks({ table, own, other }: Link, id: string, others: readonly string[]): Statement {
  const columns = `${quote(own)}, ${quote(other)}`
  return {
    text: `insert into ${quote(table)} (${columns}) select $1, unnest($2::uuid[]) on conflict do nothing`,
    values: [id, others],
  }
}

export function deleteLinks({ table, own, other }: Link, id: string, others: readonly string[]): Statement {
  const where = `${quote(own)} = $1 and ${quote(other)} = any($2::uuid[])`
  return { text: `delete from ${quote(table)} where ${where}`, values: [id, others] }
}

/** The ids of all active records that a relation leads to, whoever may read them. */
export function selectRelatedIds(relation: ToManyRelation, id: string): Statement {
  const { table, id: key, deletedAt } = relation.target
  const related =
    relation.kind === "hasMany"
      ? `${quote(relation.via.name)} = $1`
      : `${quote(key.name)} in (${linked(relation.link)})`
  const active = deletedAt ? ` and ${quote(deletedAt.name)} is null` : ""
  return { text: `select ${quote(key.name)} from ${quote(table)} where ${related}${active}`, values: [id] }
}

function linked({ table, own, other }: Link): string {
  return `select link.${quote(other)} from ${quote(table)} link where link.${quote(own)} = $1`
}

/** Removes every link of a record, as seen from the end that the column stands for. */
export function deleteLinksOf({ name }: LinkTable, column: string, id: string): Statement {
  return { text: `delete from ${quote(name)} where ${quote(column)} = $1`, values: [id] }
}

/** Locks the records that point to a record in this field, in the order of their ids. */
export function lockReferring(
  { table, id: key }: Resource,
  field: ResourceField,
  { id, limit }: { id: string; limit: number | undefined },
): Statement {
  const rows = `from ${quote(table)} where ${quote(field.name)} = $1 order by ${quote(key.name)}`
  return { text: `select ${quote(key.name)} ${rows} limit $2 for update`, values: [id, limit ?? null] }
}
