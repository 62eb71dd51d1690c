import type { Statement } from "../ports/database.ts"
import type { Link, ToManyRelation } from "../schema/resource.ts"
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

/** The ids of all records that a relation leads to, whoever may read them. */
export function selectRelatedIds(relation: ToManyRelation, id: string): Statement {
  if (relation.kind === "hasMany") {
    const { target, via } = relation
    const text = `select ${quote(target.id.name)} from ${quote(target.table)} where ${quote(via.name)} = $1`
    return { text, values: [id] }
  }
  const { table, own, other } = relation.link
  return { text: `select ${quote(other)} from ${quote(table)} where ${quote(own)} = $1`, values: [id] }
}
