import type { Statement } from "../../ports/database.ts"
import type { Resource } from "../../schema/compile/resource.ts"
import type { OrderKey } from "../parse/parse-order.ts"
import type { Selection } from "../parse/selection.ts"
import type { PageRange } from "../read/cursor-page.ts"
import { type Boundary, boundarySql } from "../read/order-boundary.ts"
import { Parameters } from "../text/fragment.ts"
import { isListed, isOf, type ListedVersions, numberColumn, selectFromVersions } from "./read-versions.ts"
import { VERSIONS_TABLE } from "./version-table.ts"

/** A read of the versions of a range, up to the limit of the page. */
export interface VersionRange extends ListedVersions {
  readonly limit: number
  readonly range: PageRange
}

/** Returns the order of a list of versions: the newest first. The numbers of versions never change. */
export function versionOrder({ versions }: Resource): readonly OrderKey[] {
  const fields = versions?.answerFields.filter(({ name }) => name === "versionNumber") ?? []
  return fields.map((field) => ({ through: [], field, direction: "desc" }))
}

/**
 * Selects the versions of a range, newest first, and at most one more, whose presence shows that the range has more of
 * them. After the columns of a version come, the same in each row: whether the list has versions on the other side of
 * the page, the number of versions in the list, and the number of versions found. If there are none, one row has null in
 * all other columns.
 */
export function selectVersionRange(selection: Selection, { limit, range, ...listed }: VersionRange): Statement {
  const { resource } = selection
  const parameters = new Parameters()
  const which = isListed(resource, listed, parameters)
  const { sides, others } = sidesOf(resource, range, parameters)
  const from = `from ${VERSIONS_TABLE} _version where ${isOf(resource)} and ${which}`
  // With an order, an index finds the nearest version. Postgres ignores the order of a subquery of `exists`.
  const nearest = `order by _version.number ${range.isFromEnd ? "desc" : "asc"} limit 1`
  const hasOthers = others === undefined ? "false" : `(select true ${from} and ${others} ${nearest}) is not null`
  const facts = `${hasOthers}, (select count(*)::int ${from}), (select count(*)::int from _then)`
  const order = `order by _version.number ${range.isFromEnd ? "asc" : "desc"} limit ${parameters.add(limit + 1)}`
  return selectFromVersions(selection, {
    which: `${[which, ...sides].join(" and ")} ${order}`,
    values: parameters.values,
    write: (rows) =>
      `select _page.*, ${facts} from (select) _one left join (${rows}) _page on true order by ${numberColumn(selection)} desc`,
  })
}

interface RangeSides {
  /** The SQL conditions that a version is inside of the range. */
  readonly sides: readonly string[]
  /** The SQL condition that a version is on the other side of the page than the rest of the range. */
  readonly others: string | undefined
}

function sidesOf(resource: Resource, { after, before, isFromEnd }: PageRange, parameters: Parameters): RangeSides {
  const sorted = versionOrder(resource).map((key) => ({ key, sql: "_version.number", isNullable: false }))
  const sql = (boundary: Boundary | undefined) => boundary && boundarySql(sorted, boundary, parameters)
  const [start, end] = [sql(after), sql(before)]
  const sides = [start?.isBehind, end?.isAhead].flatMap((side) => side?.condition ?? [])
  return { sides, others: (isFromEnd ? end?.isBehind : start?.isAhead)?.condition }
}
