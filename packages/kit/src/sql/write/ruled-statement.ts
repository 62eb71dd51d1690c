import type { Statement } from "../../ports/database.ts"
import type { Resource, ResourceField } from "../../schema/compile/resource.ts"
import type { Predicate } from "../filter/predicate.ts"
import { whereSql } from "../filter/where.ts"
import { Parameters } from "../text/fragment.ts"
import { StatementCache } from "../text/statement-cache.ts"

/**
 * The rules that a write evaluates on the rows that it writes: on their new values, with everything else as it was
 * before the write. A common table expression that writes is not visible to the subqueries of its statement, so a rule
 * that leads back to the table of the row finds neither the row itself nor other rows of the same statement.
 */
export type RowRules = readonly Predicate[]

/** A write without its rules. */
interface UnruledWrite {
  readonly values: readonly unknown[]
  /**
   * The resource and the shape of the statement, on which the text depends besides the verdicts. If it is given, the text
   * is made only once for rules with the same SQL, and cached.
   */
  readonly cacheKey?: readonly [resource: Resource, shape: string] | undefined
  /** Returns the SQL of the write. It returns the id of each row, and after it the verdicts. */
  text(verdicts: readonly string[]): string
}

/** Returns the statement of a write that evaluates the rules on each row, and returns a boolean for each of them. */
export function ruledStatement({ values, cacheKey, text }: UnruledWrite, rules: RowRules): Statement {
  const parameters = new Parameters(values)
  const verdicts = rules.map((rule) => `(${whereSql(rule, "_written", parameters)}) is true`)
  return { text: textOf({ cacheKey, text }, verdicts), values: parameters.values, appendsChanges: true }
}

const ruledTexts = new StatementCache()

function textOf({ cacheKey, text }: Pick<UnruledWrite, "cacheKey" | "text">, verdicts: readonly string[]): string {
  if (cacheKey === undefined) return text(verdicts)
  const [resource, shape] = cacheKey
  return ruledTexts.get(resource, `${shape} ${verdicts.join(" ")}`, () => text(verdicts))
}

/** Returns the columns that `_written` needs for the verdicts: all of them, because a rule may use any. */
export function columnsForVerdicts({ columns }: Resource, verdicts: readonly string[]): readonly ResourceField[] {
  return verdicts.length === 0 ? [] : columns
}
