import type { ToManyRelation } from "../../schema/compile/resource.ts"
import { column, type Parameters, quote } from "../text/fragment.ts"

/** The rows that a to-many relation leads to, as parts of a statement about the table called `parent`. */
export interface RelatedRows {
  /** The alias of the target's table. */
  readonly alias: string
  readonly from: string
  /** Holds for the rows of one parent. */
  readonly condition: string
}

export function relatedRows(relation: ToManyRelation, parent: string, parameters: Parameters): RelatedRows {
  const { target } = relation
  const alias = parameters.alias()
  const table = `${quote(target.table)} ${alias}`
  // The id has the same column name in every resource.
  const parentId = column(parent, target.id.name)
  if (relation.kind === "hasMany") {
    return { alias, from: table, condition: `${column(alias, relation.via.name)} = ${parentId}` }
  }
  const { link } = relation
  const joined = parameters.alias()
  const join = `join ${table} on ${column(alias, target.id.name)} = ${column(joined, link.other)}`
  return {
    alias,
    from: `${quote(link.table)} ${joined} ${join}`,
    condition: `${column(joined, link.own)} = ${parentId}`,
  }
}
