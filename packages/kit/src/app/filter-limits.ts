import { DEFAULT_FILTER_LIMITS, type FilterLimits } from "../sql/filter-cost.ts"
import type { KitConfig } from "./config.ts"

/** How many relations the filters of callers may follow. */
export function filterLimits({ limits = {} }: Pick<KitConfig, "limits">): FilterLimits {
  const { hopsPerPath, toManyHopsPerPath, hopsPerRequest } = limits.filter ?? {}
  return Object.freeze({
    hopsPerPath: hopsPerPath ?? DEFAULT_FILTER_LIMITS.hopsPerPath,
    toManyHopsPerPath: toManyHopsPerPath ?? DEFAULT_FILTER_LIMITS.toManyHopsPerPath,
    hopsPerRequest: hopsPerRequest ?? DEFAULT_FILTER_LIMITS.hopsPerRequest,
  })
}
