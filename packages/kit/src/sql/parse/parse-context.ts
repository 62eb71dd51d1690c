import type { FieldType, Parsed } from "../../schema/compile/field-type.ts"
import type { FilterCost } from "../filter/filter-cost.ts"
import type { Visibility } from "../filter/predicate.ts"
import type { RelationStages } from "./relation-stage.ts"

/**
 * The rules for parsing a request's options: the field names that they may use, and the form of their scalar values.
 */
export interface ParseContext {
  readonly visibility: Visibility
  parseScalar(type: FieldType, value: unknown): Parsed
  /**
   * True if the options come from a query string. Every scalar is then a string, and the empty string stands for an
   * empty list or object.
   */
  readonly isText: boolean
  /**
   * Counts the relations that filters follow and the comparisons that they make; absent if the request has no limits on
   * them.
   */
  readonly cost?: FilterCost | undefined
  /** The stages that relations in `with` name; absent if they cannot name any. */
  readonly relationStages?: RelationStages | undefined
}

/** Returns the parse context for JSON bodies and in-process calls. */
export function typedParseContext(visibility: Visibility, cost?: FilterCost): ParseContext {
  return { visibility, cost, isText: false, parseScalar: (type, value) => type.parseOperand(value) }
}

/** Returns the parse context for query strings. Each scalar is parsed by the type of its field. */
export function textParseContext(visibility: Visibility, cost?: FilterCost): ParseContext {
  return { visibility, cost, isText: true, parseScalar: readText }
}

function readText(type: FieldType, value: unknown): Parsed {
  return typeof value === "string" ? type.parseText(value) : { problem: "Expected a single value." }
}
