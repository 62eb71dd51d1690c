import type { Statement } from "../../ports/database.ts"
import type { Resource } from "../../schema/compile/resource.ts"
import { QUERY_LIMITS } from "../../wire/options/query-options.ts"
import { isMasked } from "../filter/masked-field.ts"
import { activeRows, type Predicate } from "../filter/predicate.ts"
import { Parameters, quote } from "../text/fragment.ts"
import { condition } from "./select.ts"
import { tablesOfRead } from "./tables-read.ts"

/** How many of the matching records a page counts. */
export type PageTotal =
  | { readonly kind: "exact" }
  | { readonly kind: "none" }
  | { readonly kind: "estimate" }
  | { readonly kind: "atMost"; readonly max: number }

/** Returns the number up to which a page counts the matching records, or undefined if it counts all or none of them. */
export function countedUpTo(total: PageTotal): number | undefined {
  if (total.kind === "estimate") return QUERY_LIMITS.estimatesFrom
  return total.kind === "atMost" ? total.max : undefined
}

/** The rows of a resource that a count is about. */
interface CountedRows {
  readonly resource: Resource
  readonly predicate: Predicate
}

/**
 * True if an estimate of the matching rows reveals nothing of rows and values that are hidden from the caller. The
 * planner's statistics cover all rows of a table, so the caller must be able to read all of them, and every compared
 * field. Without a filter, the rows that are not soft-deleted may be estimated, too.
 */
export function mayBeEstimated({ resource, predicate }: CountedRows, readable: Predicate): boolean {
  if (predicate === activeRows(resource)) return true
  return readable.kind === "all" && readable.parts.length === 0 && comparesOwnValues(predicate)
}

// True if the predicate is about stored values of the row itself, of fields that are visible in all rows.
function comparesOwnValues(predicate: Predicate): boolean {
  switch (predicate.kind) {
    case "all":
    case "any":
      return predicate.parts.every(comparesOwnValues)
    case "not":
      return comparesOwnValues(predicate.part)
    case "compare": {
      const { field } = predicate
      return !isMasked(field) && field.comparison === undefined && field.type.expression === undefined
    }
    default:
      return false
  }
}

/** Selects what the planner expects: a plan as JSON, with the number of rows at its top. */
export function explainMatching({ resource, predicate }: CountedRows): Statement {
  const parameters = new Parameters()
  const alias = parameters.alias()
  const where = condition(predicate, alias, parameters)
  return {
    text: `explain (format json) select from ${quote(resource.table)} ${alias}${where}`,
    values: parameters.values,
    tablesRead: () => tablesOfRead({ selection: { resource, fields: [], relations: [] }, predicate }),
  }
}
