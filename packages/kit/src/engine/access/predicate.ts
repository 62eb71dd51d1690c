import { isMasked } from "../../sql/filter/masked-field.ts"
import type { Predicate } from "../../sql/filter/predicate.ts"
import { valueInLocaleChain } from "../../sql/text/locale-map.ts"
import { everyVerdict, opposite, someVerdict, type Verdict } from "../../wire/matching/verdict.ts"
import type { RecordData } from "../../wire/results/operations.ts"

/**
 * Evaluates a predicate in memory. The verdicts "yes" and "no" always agree with SQL. In all other cases the verdict is
 * "unknown", for example for a condition on a field that the row lacks. The row has relations as ids, and localized
 * fields in all locales.
 */
export function matchesInMemory(predicate: Predicate, row: RecordData): Verdict {
  switch (predicate.kind) {
    case "all":
      return everyVerdict(predicate.parts, (part) => matchesInMemory(part, row))
    case "any":
      return someVerdict(predicate.parts, (part) => matchesInMemory(part, row))
    case "not":
      return opposite(matchesInMemory(predicate.part, row))
    case "compare":
      return compareInMemory(predicate, row)
    case "related":
      return relatedInMemory(predicate, row)
    // This condition is about records that refer to the row, and the row does not contain them.
    case "some":
      return "unknown"
    // Only PostgreSQL knows the stems of words.
    case "text":
      return "unknown"
    default:
      return predicate satisfies never
  }
}

function compareInMemory({ field, operator, operand }: PredicateOf<"compare">, row: RecordData): Verdict {
  const stored = row[field.name]
  const value = field.localized && stored !== undefined ? valueInLocaleChain(field, stored) : stored
  // The value of a virtual field is an SQL expression of the author, which only PostgreSQL can evaluate.
  const isVirtual = field.type.expression !== undefined
  // If a field rule hides the field's value in some rows, only PostgreSQL can evaluate which rows these are.
  const isOpen = !isVirtual && !isMasked(field)
  if (value === undefined || !isOpen || operator.test === undefined) return "unknown"
  return operator.test({ value, type: field.type, operand })
}

// Evaluates a condition on a related record. The row contains only the id of that record, which may be enough to return
// "no".
function relatedInMemory({ field, target, part }: PredicateOf<"related">, row: RecordData): Verdict {
  const id = row[field.name]
  if (id === null) return "no"
  if (typeof id !== "string") return "unknown"
  return matchesInMemory(part, { [target.id.name]: id }) === "no" ? "no" : "unknown"
}

type PredicateOf<Kind extends Predicate["kind"]> = Extract<Predicate, { kind: Kind }>
