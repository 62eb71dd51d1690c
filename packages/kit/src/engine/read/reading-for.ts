import type { Resource } from "../../schema/compile/resource.ts"
import { type MaybePromise, whenReady } from "../../schema/context/when-ready.ts"
import { FilterCost } from "../../sql/filter/filter-cost.ts"
import { type ParseContext, textParseContext, typedParseContext } from "../../sql/parse/parse-context.ts"
import { invalid } from "../../wire/errors/api-error.ts"
import { reachedResources } from "../access/reached-resources.ts"
import { visibilityOf } from "../access/visibility.ts"
import type { OperationContext } from "../context/operation-context.ts"
import type { UncheckedOptions } from "../context/read-options.ts"

/**
 * Returns how to parse the options of this call: which fields the caller may name, and whether scalar values are
 * strings, as in a URL query string.
 */
export function readingFor(
  ctx: OperationContext,
  resource: Resource,
  given: UncheckedOptions,
): MaybePromise<ParseContext> {
  const { relationStages } = ctx
  const reached = reachedResources(resource, given.options, relationStages)
  return whenReady(visibilityOf(ctx, resource, reached), (visibility) => {
    const cost = filterCostOf(ctx)
    const reading = given.isText ? textParseContext(visibility, cost) : typedParseContext(visibility, cost)
    return { ...reading, relationStages }
  })
}

// Returns the cost limit of a filter. Filters inside the author's rules and filters from system code have none.
function filterCostOf({ isSystem, evaluatingRules, filterLimits }: OperationContext): FilterCost | undefined {
  return isSystem || evaluatingRules.length > 0 ? undefined : new FilterCost(filterLimits, refuseFilter)
}

function refuseFilter(path: string, message: string): never {
  throw invalid(path, message)
}
