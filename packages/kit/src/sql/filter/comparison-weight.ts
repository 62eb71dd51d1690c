import type { FieldType, OperatorFamily } from "../../schema/compile/field-type.ts"
import { SHORT_LIST_ITEMS } from "../text/list-sql.ts"
import type { Operator } from "./operator.ts"

interface Comparison {
  readonly operator: Operator
  readonly type: FieldType
  readonly operand: unknown
}

// The cost of each kind of comparison relative to a comparison of numbers, measured on 150,000 rows with texts of 80
// characters.
const TEXT_MATCH = 25
const JSON_COMPARISON = 10
const LONG_LIST = 5

const JSON_FAMILIES: readonly OperatorFamily[] = ["json", "jsonList", "blocks"]

/** Returns the cost of a comparison per row, relative to a comparison of two numbers. */
export function comparisonWeight({ operator, type, operand }: Comparison): number {
  const isJson = JSON_FAMILIES.includes(type.operators)
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
