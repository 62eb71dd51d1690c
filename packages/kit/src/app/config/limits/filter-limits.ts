import { DEFAULT_FILTER_LIMITS, type FilterLimits } from "../../../sql/filter/filter-cost.ts"
import type { KitConfig } from "../config.ts"

/** Returns the limits on the cost of the filters in requests. */
export function filterLimits({ limits = {} }: Pick<KitConfig, "limits">): FilterLimits {
  const { hopsPerPath, toManyHopsPerPath, hopsPerRequest, comparisonsPerRequest } = limits.filter ?? {}
  return Object.freeze({
    hopsPerPath: hopsPerPath ?? DEFAULT_FILTER_LIMITS.hopsPerPath,
    toManyHopsPerPath: toManyHopsPerPath ?? DEFAULT_FILTER_LIMITS.toManyHopsPerPath,
    hopsPerRequest: hopsPerRequest ?? DEFAULT_FILTER_LIMITS.hopsPerRequest,
    comparisonsPerRequest: comparisonsPerRequest ?? DEFAULT_FILTER_LIMITS.comparisonsPerRequest,
  })
}
