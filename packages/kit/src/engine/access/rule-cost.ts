import type { AccessRule } from "../../schema/access/access.ts"
import { FilterCost } from "../../sql/filter/filter-cost.ts"
import type { OperationContext } from "../context/operation-context.ts"

/** A rule that is a function, with its name in log lines. */
export interface NamedRule {
  readonly rule: Exclude<AccessRule, boolean>
  readonly name: string
}

const warned = new WeakSet<NamedRule["rule"]>()

/**
 * Counts the relations that the filter of a rule follows. Rules have no limit, and their filters are known only when
 * they run, so the first filter of a rule that exceeds the limits of callers is logged as a warning.
 */
export function ruleCost(ctx: OperationContext, { rule, name }: NamedRule): FilterCost | undefined {
  if (warned.has(rule)) return undefined
  return new FilterCost(ctx.filterLimits, (path, message) => {
    if (warned.has(rule)) return
    warned.add(rule)
    const cost = "returned a filter beyond the limits for callers, and every read of a caller now evaluates it"
    ctx.logger.warn(`The ${name} ${cost}. Simplify it if reads are slow.`, { path, limit: message })
  })
}
