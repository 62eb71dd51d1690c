import type { AccessRule } from "../../schema/access/access.ts"
import { FilterCost } from "../../sql/filter/filter-cost.ts"
import type { OperationContext } from "../context/operation-context.ts"

/** An access rule that is a function, and the name that log lines use for the rule. */
export interface NamedRule {
  readonly rule: Exclude<AccessRule, boolean>
  readonly name: string
}

const warned = new WeakSet<NamedRule["rule"]>()

/**
 * Returns a counter for the relations that a rule's filter follows. Unlike a caller's filter, a rule's filter has no
 * limits, and it is known only when the rule runs. So a warning is logged for the first filter of a rule that would
 * exceed the limits for callers.
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
