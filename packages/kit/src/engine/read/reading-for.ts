import type { Resource } from "../../schema/compile/resource.ts"
import { FilterCost } from "../../sql/filter/filter-cost.ts"
import { type Reading, textReading, typedReading } from "../../sql/parse/reading.ts"
import { invalid } from "../../wire/errors/api-error.ts"
import { reachedResources } from "../access/reached-resources.ts"
import { visibilityOf } from "../access/visibility.ts"
import type { OperationContext } from "../context/operation-context.ts"
import type { GivenOptions } from "../context/read-options.ts"

/** How the options of this call are read: what the caller may name, and whether scalars are text. */
export async function readingFor(ctx: OperationContext, resource: Resource, given: GivenOptions): Promise<Reading> {
  const visibility = await visibilityOf(ctx, resource, reachedResources(resource, given.options))
  const cost = filterCostOf(ctx)
  return given.isText ? textReading(visibility, cost) : typedReading(visibility, cost)
}

// The filters of the author's own rules, and those of system code, may cost what they cost.
function filterCostOf({ isSystem, judging, filterLimits }: OperationContext): FilterCost | undefined {
  return isSystem || judging.length > 0 ? undefined : new FilterCost(filterLimits, refuseFilter)
}

function refuseFilter(path: string, message: string): never {
  throw invalid(path, message)
}
