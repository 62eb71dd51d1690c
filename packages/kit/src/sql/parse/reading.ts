import type { FieldType, Parsed } from "../../schema/compile/field-type.ts"
import type { FilterCost } from "../filter/filter-cost.ts"
import type { Visibility } from "../filter/predicate.ts"

/** How the words of a request are read: what they may name, and what a scalar looks like. */
export interface Reading {
  readonly visibility: Visibility
  readScalar(type: FieldType, value: unknown): Parsed
  /** True for a query string, where every scalar is text and an empty text stands for an empty list or object. */
  readonly isText: boolean
  /** Counts the relations that are followed; absent where nobody has to. */
  readonly cost?: FilterCost | undefined
}

/** Reads JSON bodies and in-process calls. */
export function typedReading(visibility: Visibility, cost?: FilterCost): Reading {
  return { visibility, cost, isText: false, readScalar: (type, value) => type.parseOperand(value) }
}

/** Reads query strings: each scalar by the type of its field. */
export function textReading(visibility: Visibility, cost?: FilterCost): Reading {
  return { visibility, cost, isText: true, readScalar: readText }
}

function readText(type: FieldType, value: unknown): Parsed {
  return typeof value === "string" ? type.parseText(value) : { problem: "Expected a single value." }
}
