import type { ResourceField } from "../../schema/compile/resource.ts"
import { SHORT_LIST_ITEMS } from "../text/list-sql.ts"
import type { Operator } from "./operators.ts"

interface Comparison {
  readonly operator: Operator
  readonly field: Pick<ResourceField, "type" | "comparison">
  readonly operand: unknown
}

// The cost of each kind of comparison relative to a comparison of numbers, measured on 150,000 rows with texts of 80
// characters.
const TEXT_MATCH = 25
const JSON_COMPARISON = 10
const LONG_LIST = 5
// It reads every value of two rows. A request may do that for a few conditions, but not for a long list of them.
const PUBLIC_COMPARISON = 50

/** Returns the cost of a comparison per row, relative to a comparison of two numbers. */
export function comparisonWeight({ operator, field: { type, comparison }, operand }: Comparison): number {
  if (comparison) return PUBLIC_COMPARISON
  const isJson = type.operators === "json" || type.operators === "jsonList"
  const each = isJson ? JSON_COMPARISON : 1
  switch (operator.operand) {
    case "text":
    case "pattern":
      return isJson ? each : TEXT_MATCH
    case "list":
      return listWeight(lengthOf(operand))
    case "items":
      return each * (1 + lengthOf(operand))
    case "path":
      return each * lengthOf((operand as { comparisons: unknown }).comparisons)
    default:
      return each
  }
}

// Returns the cost of a comparison with a list. Postgres compares a value with the items of a short list one by one,
// and hashes a long list.
function listWeight(items: number): number {
  return items > SHORT_LIST_ITEMS ? LONG_LIST : 1 + Math.floor((items * LONG_LIST) / SHORT_LIST_ITEMS)
}

function lengthOf(list: unknown): number {
  return Array.isArray(list) ? list.length : 1
}
