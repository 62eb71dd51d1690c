import { COMPARISONS } from "./compare-values.ts"
import { everyVerdict, opposite, someVerdict, type Verdict, verdictOf } from "./verdict.ts"

/**
 * Evaluates a filter on a record in memory, such as the `visible` of a described field. Returns true or false where a
 * read with this `where` is certain to find or not to find a record with these values, otherwise undefined: the record
 * lacks a field, or only the database can decide.
 *
 * matchesWhere({ kind: "video", length: { gt: 60 } }, record)
 */
export function matchesWhere(where: object, record: object): boolean | undefined {
  const verdict = recordVerdict(where, record)
  return verdict === "unknown" ? undefined : verdict === "yes"
}

function recordVerdict(where: object, record: object): Verdict {
  return everyVerdict(Object.entries(where), ([name, condition]) => {
    switch (name) {
      case "AND":
        return Array.isArray(condition) ? everyVerdict(condition, (part) => partVerdict(part, record)) : "unknown"
      case "OR":
        return Array.isArray(condition) ? someVerdict(condition, (part) => partVerdict(part, record)) : "unknown"
      case "NOT":
        return opposite(partVerdict(condition, record))
      default:
        return valueVerdict(condition, ownValue(record, name))
    }
  })
}

function partVerdict(where: unknown, record: object): Verdict {
  return isConditions(where) ? recordVerdict(where, record) : "unknown"
}

function ownValue(record: object, name: string): unknown {
  return Object.hasOwn(record, name) ? Reflect.get(record, name) : undefined
}

function valueVerdict(condition: unknown, value: unknown): Verdict {
  if (value === undefined || condition === undefined) return "unknown"
  if (!isConditions(condition)) return comparisonVerdict("eq", condition, value)
  const operators = Object.entries(condition)
  const areOperators = operators.length > 0 && operators.every(([name]) => isOperator(name))
  if (!areOperators) return relatedVerdict(condition, value)
  return everyVerdict(operators, ([name, operand]) => comparisonVerdict(name, operand, value))
}

const RELATION_OPERATORS: readonly string[] = ["is", "isNot", "some", "none", "every"]

function isOperator(name: string): boolean {
  return Object.hasOwn(COMPARISONS, name) || RELATION_OPERATORS.includes(name)
}

function comparisonVerdict(name: string, operand: unknown, value: unknown): Verdict {
  if (operand === undefined) return "unknown"
  switch (name) {
    case "is":
      return isRelated(value, operand)
    case "isNot":
      return opposite(isRelated(value, operand))
    case "some":
      return relatedVerdict(operand, value)
    case "none":
      return opposite(relatedVerdict(operand, value))
    case "every":
      return opposite(someOf(value, (related) => opposite(partVerdict(operand, related))))
    default:
      return COMPARISONS[name]?.(value, operand) ?? "unknown"
  }
}

function isRelated(value: unknown, operand: unknown): Verdict {
  return operand === null ? verdictOf(value === null) : relatedVerdict(operand, value)
}

// Evaluates a filter on the records of a relation that has been read by `with`. An id says nothing about its record.
function relatedVerdict(where: unknown, value: unknown): Verdict {
  if (value === null) return "no"
  if (Array.isArray(value)) return someOf(value, (related) => partVerdict(where, related))
  return isConditions(value) ? partVerdict(where, value) : "unknown"
}

// There may be further related records, which were not read. So a match is certain, but its absence is not.
function someOf(value: unknown, evaluate: (related: object) => Verdict): Verdict {
  if (!Array.isArray(value)) return "unknown"
  return someVerdict(value.filter(isConditions), evaluate) === "yes" ? "yes" : "unknown"
}

function isConditions(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date)
}
