import { type FieldType, isProblem } from "../../schema/compile/field-type.ts"
import { invalid } from "../../wire/errors/api-error.ts"
import { didYouMean } from "../../wire/errors/did-you-mean.ts"
import { QUERY_LIMITS } from "../../wire/options/query-options.ts"
import type { Operator } from "../filter/operator.ts"
import { findPatternProblem } from "../filter/operators.ts"
import { PATH_OPERATORS, type PathOperand, type PathOperatorName } from "../text/json-path.ts"
import type { ParseContext } from "./parse-context.ts"

export interface OperandInput {
  readonly operator: Operator
  readonly type: FieldType
  readonly value: unknown
  readonly path: string
}

const MAX_PATH_STEPS = 20
const MAX_COUNT = 999_999_999

/** Checks and parses the operand of an operator. */
export function parseOperand(input: OperandInput, parseContext: ParseContext): unknown {
  switch (input.operator.operand) {
    case "value":
      return readScalar(input, parseContext)
    case "list":
      return readList(input, parseContext)
    case "pair":
      return readPair(input, parseContext)
    case "flag":
      return readFlag(input, parseContext)
    case "text":
      return readPlainText(input)
    case "pattern":
      return readPattern(input)
    case "path":
      return readPath(input, parseContext)
    case "item":
      return readScalar(withElementType(input), parseContext)
    case "items":
      return readList(withElementType(input), parseContext)
    case "count":
      return readCount(input, parseContext)
    case "itemFilter":
      throw new Error("A filter on items is parsed by parseItemFilter.")
    default:
      return input.operator.operand satisfies never
  }
}

function withElementType(input: OperandInput): OperandInput {
  return { ...input, type: input.type.element ?? input.type }
}

function readCount({ value, path }: OperandInput, parseContext: ParseContext): number {
  const count = parseContext.isText && typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : value
  if (typeof count === "number" && Number.isInteger(count) && count >= 0 && count <= MAX_COUNT) return count
  throw invalid(path, "Expected a number of items.")
}

function readScalar({ type, value, path }: Omit<OperandInput, "operator">, parseContext: ParseContext): unknown {
  const parsed = parseContext.parseScalar(type, value)
  if (isProblem(parsed)) throw invalid(path, parsed.problem)
  return parsed.value
}

function readList(input: OperandInput, parseContext: ParseContext): unknown[] {
  const list = parseContext.isText && input.value === "" ? [] : input.value
  if (!Array.isArray(list)) throw invalid(input.path, "Expected a list of values.")
  if (list.length > QUERY_LIMITS.maxListItems) {
    throw invalid(input.path, `A list has at most ${QUERY_LIMITS.maxListItems} values.`)
  }
  return list.map((value, index) => readScalar({ ...input, value, path: `${input.path}.${index}` }, parseContext))
}

function readPair(input: OperandInput, parseContext: ParseContext): unknown[] {
  const pair = readList(input, parseContext)
  if (pair.length !== 2) throw invalid(input.path, "Expected two values: the lower and the upper bound.")
  return pair
}

function readFlag({ value, path }: OperandInput, parseContext: ParseContext): boolean {
  if (typeof value === "boolean") return value
  if (parseContext.isText && (value === "true" || value === "false")) return value === "true"
  throw invalid(path, "Expected true or false.")
}

function readPlainText({ value, path }: OperandInput): string {
  if (typeof value !== "string") throw invalid(path, "Expected text.")
  if (value.includes("\0") || !value.isWellFormed()) throw invalid(path, "Expected well-formed text without U+0000.")
  return value
}

function readPattern(input: OperandInput): string {
  const pattern = readPlainText(input)
  const problem = findPatternProblem(pattern)
  if (problem !== undefined) throw invalid(input.path, problem)
  return pattern
}

// Reads the operand of the operator `path`, a JSON object such as { "at": "seo.title", "eq": "Hello" }. In a query
// string, the operand is JSON text.
function readPath(input: OperandInput, parseContext: ParseContext): PathOperand {
  const operand = readScalar(input, parseContext)
  if (typeof operand !== "object" || operand === null || Array.isArray(operand)) {
    throw invalid(input.path, 'Expected an object such as { "at": "seo.title", "eq": "Hello" }.')
  }
  const { at, ...rest } = operand as Record<string, unknown>
  const comparisons = Object.entries(rest).map(([operator, value]) => ({
    operator: pathOperator(operator, input.path),
    value,
  }))
  if (comparisons.length === 0)
    throw invalid(input.path, `Expected one of ${Object.keys(PATH_OPERATORS).join(", ")} beside "at".`)
  return { at: pathSteps(at, input.path), comparisons }
}

function pathSteps(at: unknown, path: string): readonly string[] {
  const steps = typeof at === "string" ? at.split(".") : at
  const isPath = Array.isArray(steps) && steps.length >= 1 && steps.length <= MAX_PATH_STEPS
  if (!isPath || !steps.every((step) => typeof step === "string" && step !== "")) {
    throw invalid(`${path}.at`, `Expected a path such as "seo.title", with at most ${MAX_PATH_STEPS} steps.`)
  }
  return steps
}

function pathOperator(name: string, path: string): PathOperatorName {
  if (Object.hasOwn(PATH_OPERATORS, name)) return name as PathOperatorName
  throw invalid(`${path}.${name}`, `There is no operator "${name}".${didYouMean(name, Object.keys(PATH_OPERATORS))}`)
}
