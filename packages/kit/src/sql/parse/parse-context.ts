import type { FieldType, Parsed } from "../../schema/compile/field-type.ts"
import type { FilterCost } from "../filter/filter-cost.ts"
import type { Visibility } from "../filter/predicate.ts"

/** The rules for parsing a request: the names that it may use, and the form of its scalars. */
export interface ParseContext {
  readonly visibility: Visibility
  parseScalar(type: FieldType, value: unknown): Parsed
  /** True for a query string, where every scalar is text and empty text stands for an empty list or object. */
  readonly isText: boolean
  /** Counts followed relations and comparisons; absent if there is no limit. */
  readonly cost?: FilterCost | undefined
}

/** Parses JSON bodies and in-process calls. */
export function typedParseContext(visibility: Visibility, cost?: FilterCost): ParseContext {
  return { visibility, cost, isText: false, parseScalar: (type, value) => type.parseOperand(value) }
}

/** Parses query strings: each scalar by the type of its field. */
export function textParseContext(visibility: Visibility, cost?: FilterCost): ParseContext {
  return { visibility, cost, isText: true, parseScalar: readText }
}

function readText(type: FieldType, value: unknown): Parsed {
  return typeof value === "string" ? type.parseText(value) : { problem: "Expected a single value." }
}
