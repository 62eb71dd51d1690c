import type { Link, PublicComparison, ResourceField } from "../../schema/compile/resource.ts"
import { column, quote } from "./fragment.ts"
import { linkOrder } from "./link-order.ts"

// The aliases inside of a comparison. No other alias of a statement is like them.
const PUBLIC = "_public"
const LINK = "_link"

/** Returns the SQL condition that a compared field differs and counts, from the condition that it differs. */
type CountDifference = (field: ResourceField, difference: string) => string

/**
 * Returns an SQL expression that is true if a working copy differs from its public copy, and null if it has none. The
 * working copy is the row of the table with this alias.
 */
export function comparisonSql({ copies, fields }: PublicComparison, alias: string, count: CountDifference): string {
  const { table, id } = copies.resource
  const differences = fields.map((field) => count(field, differenceSql(copies, field, alias)))
  const differs = differences.length === 0 ? "false" : differences.join(" or ")
  return `(select ${differs} from ${quote(table)} ${PUBLIC} where ${column(PUBLIC, id.name)} = ${column(alias, id.name)})`
}

function differenceSql({ links, resource }: PublicComparison["copies"], field: ResourceField, alias: string): string {
  const { name } = field
  // The link in the field is another one if the read uses the related records of another stage.
  const copied = links.find((pair) => pair.name === name)
  if (copied === undefined) return valueDifference(field, column(alias, name), column(PUBLIC, name))
  const id = column(alias, resource.id.name)
  // Where the author keeps no order, an order of links is no content.
  const list = copied.from.ordered === "own" ? idsInOrder : sortedIds
  return `${list(copied.from, id)} is distinct from ${list(copied.to, id)}`
}

// JSON is first compared byte by byte. That is enough for most values, which are equal: a page of 50 records with rich texts
// of 8 KB takes 2.4 ms instead of 3.4, of which 1.9 are reading the texts. Equal values can have other bytes: 1 and 1.0.
function valueDifference({ type, localized }: ResourceField, working: string, shown: string): string {
  const differs = `${working} is distinct from ${shown}`
  if (type.sqlType !== "jsonb" && localized === undefined) return differs
  return `(row(${working})::record *<> row(${shown})::record and ${differs})`
}

function sortedIds(link: Link, id: string): string {
  return linkedIds(link, id, column(LINK, link.other))
}

function idsInOrder(link: Link, id: string): string {
  return linkedIds(link, id, linkOrder(LINK, link.other))
}

function linkedIds({ table, own, other }: Link, id: string, order: string): string {
  const linked = column(LINK, other)
  return `array(select ${linked} from ${quote(table)} ${LINK} where ${column(LINK, own)} = ${id} order by ${order})`
}
