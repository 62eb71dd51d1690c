import type { Statement } from "../../ports/database.ts"
import { type ManyToMany, POSITION } from "../../schema/compile/resource.ts"
import { column, idList, quote } from "../text/fragment.ts"
import { linkOrder } from "../text/link-order.ts"

/** Selects the ids of all records that an ordered relation links with a record, hidden and deleted ones too, in order. */
export function selectLinksInOrder({ link }: ManyToMany, id: string): Statement {
  const { table, own, other } = link
  const order = linkOrder(quote(table), other)
  return {
    text: `select ${quote(other)} from ${quote(table)} where ${quote(own)} = $1 order by ${order}`,
    values: [id],
  }
}

/** Stores the order of the records that an ordered relation links with a record. `others` are all of their ids. */
export function storePositions({ link, target }: ManyToMany, id: string, others: readonly string[]): Statement {
  const table = quote(link.table)
  const places = `unnest(${idList(target, "$2")}) with ordinality _order(id, place)`
  const isLink = `${column(table, link.own)} = $1 and ${column(table, link.other)} = _order.id`
  const isMoved = `${column(table, POSITION)} is distinct from _order.place`
  return {
    text: `update ${table} set ${quote(POSITION)} = _order.place from ${places} where ${isLink} and ${isMoved}`,
    values: [id, others],
  }
}
