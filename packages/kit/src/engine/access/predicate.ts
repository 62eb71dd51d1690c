import { isMasked } from "../../sql/filter/masked-field.ts"
import type { Predicate } from "../../sql/filter/predicate.ts"
import { everyVerdict, opposite, someVerdict, type Verdict } from "../../sql/filter/verdict.ts"
import { valueInLocaleChain } from "../../sql/text/locale-map.ts"
import type { RecordData } from "../../wire/results/operations.ts"

/**
 * Evaluates a predicate in memory. "yes" and "no" are always what SQL would return; otherwise the result is "unknown".
 * The row has the values of a record: relations as ids, localized fields in all locales. A condition on a field that
 * the row does not have is unknown.
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
    // The row does not have the records that refer to it.
    case "some":
      return "unknown"
    default:
      return predicate satisfies never
  }
}

function compareInMemory({ field, operator, operand }: PredicateOf<"compare">, row: RecordData): Verdict {
  const stored = row[field.name]
  const value = field.localized && stored !== undefined ? valueInLocaleChain(field, stored) : stored
  // Only PostgreSQL can evaluate the author's SQL of a virtual field.
  const isVirtual = field.type.expression !== undefined
  // If a rule hides the value in some rows, only SQL can evaluate which rows those are.
  const isOpen = !isVirtual && !isMasked(field)
  if (value === undefined || !isOpen || operator.test === undefined) return "unknown"
  return operator.test({ value, type: field.type, operand })
}

// The row has only the id of the related record, which may be enough to return "no".
function relatedInMemory({ field, target, part }: PredicateOf<"related">, row: RecordData): Verdict {
  const id = row[field.name]
  if (id === null) return "no"
  if (typeof id !== "string") return "unknown"
  return matchesInMemory(part, { [target.id.name]: id }) === "no" ? "no" : "unknown"
}

type PredicateOf<Kind extends Predicate["kind"]> = Extract<Predicate, { kind: Kind }>
