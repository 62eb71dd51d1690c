import { type FieldType, isProblem } from "../../schema/compile/field-type.ts"
import { invalid } from "../../wire/errors/api-error.ts"
import { didYouMean } from "../../wire/errors/did-you-mean.ts"
import { QUERY_LIMITS } from "../../wire/options/query-options.ts"
import { findPatternProblem, type Operator } from "../filter/operators.ts"
import { PATH_OPERATORS, type PathOperand, type PathOperatorName } from "../text/json-path.ts"
import type { Reading } from "./reading.ts"

interface GivenOperand {
  readonly operator: Operator
  readonly type: FieldType
  readonly value: unknown
  readonly path: string
}

const MAX_PATH_STEPS = 20
const MAX_COUNT = 999_999_999

/** Checks and parses the operand of an operator. */
export function parseOperand(given: GivenOperand, reading: Reading): unknown {
  switch (given.operator.operand) {
    case "value":
      return readScalar(given, reading)
    case "list":
      return readList(given, reading)
    case "pair":
      return readPair(given, reading)
    case "flag":
      return readFlag(given, reading)
    case "text":
      return readPlainText(given)
    case "pattern":
      return readPattern(given)
    case "path":
      return readPath(given, reading)
    case "item":
      return readScalar(ofItems(given), reading)
    case "items":
      return readList(ofItems(given), reading)
    case "count":
      return readCount(given, reading)
    default:
      return given.operator.operand satisfies never
  }
}

function ofItems(given: GivenOperand): GivenOperand {
  return { ...given, type: given.type.element ?? given.type }
}

function readCount({ value, path }: GivenOperand, reading: Reading): number {
  const count = reading.isText && typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : value
  if (typeof count === "number" && Number.isInteger(count) && count >= 0 && count <= MAX_COUNT) return count
  throw invalid(path, "Expected a number of items.")
}

function readScalar({ type, value, path }: Omit<GivenOperand, "operator">, reading: Reading): unknown {
  const parsed = reading.readScalar(type, value)
  if (isProblem(parsed)) throw invalid(path, parsed.problem)
  return parsed.value
}

function readList(given: GivenOperand, reading: Reading): unknown[] {
  const list = reading.isText && given.value === "" ? [] : given.value
  if (!Array.isArray(list)) throw invalid(given.path, "Expected a list of values.")
  if (list.length > QUERY_LIMITS.maxListItems) {
    throw invalid(given.path, `A list has at most ${QUERY_LIMITS.maxListItems} values.`)
  }
  return list.map((value, index) => readScalar({ ...given, value, path: `${given.path}.${index}` }, reading))
}

function readPair(given: GivenOperand, reading: Reading): unknown[] {
  const pair = readList(given, reading)
  if (pair.length !== 2) throw invalid(given.path, "Expected two values: the lower and the upper bound.")
  return pair
}

function readFlag({ value, path }: GivenOperand, reading: Reading): boolean {
  if (typeof value === "boolean") return value
  if (reading.isText && (value === "true" || value === "false")) return value === "true"
  throw invalid(path, "Expected true or false.")
}

function readPlainText({ value, path }: GivenOperand): string {
  if (typeof value !== "string") throw invalid(path, "Expected text.")
  if (value.includes("\0") || !value.isWellFormed()) throw invalid(path, "Expected well-formed text without U+0000.")
  return value
}

function readPattern(given: GivenOperand): string {
  const pattern = readPlainText(given)
  const problem = findPatternProblem(pattern)
  if (problem !== undefined) throw invalid(given.path, problem)
  return pattern
}

// The operand of `path` is JSON; in a query string it is JSON text: { "at": "seo.title", "eq": "Hello" }.
function readPath(given: GivenOperand, reading: Reading): PathOperand {
  const operand = readScalar(given, reading)
  if (typeof operand !== "object" || operand === null || Array.isArray(operand)) {
    throw invalid(given.path, 'Expected an object such as { "at": "seo.title", "eq": "Hello" }.')
  }
  const { at, ...rest } = operand as Record<string, unknown>
  const comparisons = Object.entries(rest).map(([operator, value]) => ({
    operator: pathOperator(operator, given.path),
    value,
  }))
  if (comparisons.length === 0)
    throw invalid(given.path, `Expected one of ${Object.keys(PATH_OPERATORS).join(", ")} beside "at".`)
  return { at: pathSteps(at, given.path), comparisons }
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
