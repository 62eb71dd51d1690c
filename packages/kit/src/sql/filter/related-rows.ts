import { isOrderedRelation, type ManyToMany, type ToManyRelation } from "../../schema/compile/resource.ts"
import { column, idList, type Parameters, quote } from "../text/fragment.ts"
import { linkOrder } from "../text/link-order.ts"
import type { LinkChange } from "./predicate.ts"

/**
 * The rows that a to-many relation leads to, as parts of a statement that reads the parent's table under the alias
 * `parent`.
 */
export interface RelatedRows {
  /** The alias of the table that holds the related rows. */
  readonly alias: string
  readonly from: string
  /** The SQL condition that a row is related to the parent row. */
  readonly condition: string
  /** The sort keys of the rows in the order of an ordered relation. Undefined if the relation is not ordered. */
  readonly order?: string
}

export function relatedRows(relation: ToManyRelation, parent: string, parameters: Parameters): RelatedRows {
  const { target } = relation
  const alias = parameters.alias()
  const table = `${quote(target.table)} ${alias}`
  // The id column has the same name in every resource, so the target's name for it also applies to the parent.
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
    ...(isOrderedRelation(relation) && { order: linkOrder(joined, link.other) }),
  }
}

/** Like `relatedRows`, for the links as they will be after a write of the parent row has changed them. */
export function rowsLinkedAfter(
  { relation, links }: { readonly relation: ManyToMany; readonly links: LinkChange },
  parent: string,
  parameters: Parameters,
): RelatedRows {
  const { target, link } = relation
  const { added, removed } = links
  const alias = parameters.alias()
  const linked = parameters.alias()
  const ids = (list: readonly string[]) => idList(target, parameters.add(list))
  const parts = [`select unnest(${ids(added)}) as id`]
  if (removed !== "all") {
    const isKept = `${quote(link.other)} <> all(${ids(removed)})`
    const isOwn = `${quote(link.own)} = ${column(parent, target.id.name)}`
    parts.push(`select ${quote(link.other)} from ${quote(link.table)} where ${isOwn} and ${isKept}`)
  }
  return {
    alias,
    from: `(${parts.join(" union all ")}) ${linked}, ${quote(target.table)} ${alias}`,
    condition: `${column(alias, target.id.name)} = ${linked}.id`,
  }
}
