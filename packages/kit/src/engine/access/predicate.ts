import { isMasked } from "../../sql/filter/masked-field.ts"
import type { Predicate } from "../../sql/filter/predicate.ts"
import { everyVerdict, opposite, someVerdict, type Verdict } from "../../sql/filter/verdict.ts"
import { valueIn } from "../../sql/text/locale-map.ts"
import type { RecordData } from "../../wire/results/operations.ts"

/**
 * Whether SQL would find the row, as far as memory can tell. It never says no where SQL says yes, nor yes where SQL says no.
 * The row has the values of a record, relations as ids, and of localized fields those of all locales; a field that it
 * does not hold makes conditions on it unknown.
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
    // Of records that point here a row knows nothing.
    case "some":
      return "unknown"
    default:
      return predicate satisfies never
  }
}

function compareInMemory({ field, operator, operand }: PredicateOf<"compare">, row: RecordData): Verdict {
  const stored = row[field.name]
  const value = field.localized && stored !== undefined ? valueIn(field, stored) : stored
  // What the value of a virtual field means is the author's SQL, and only SQL can tell.
  const isVirtual = field.type.expression !== undefined
  // Where a rule hides the value from some, it is for SQL to say what they compare with.
  const isOpen = !isVirtual && !isMasked(field)
  if (value === undefined || !isOpen || operator.test === undefined) return "unknown"
  return operator.test({ value, type: field.type, operand })
}

// Of the related record nothing is known but its id; that may be enough to rule it out.
function relatedInMemory({ field, target, part }: PredicateOf<"related">, row: RecordData): Verdict {
  const id = row[field.name]
  if (id === null) return "no"
  if (typeof id !== "string") return "unknown"
  return matchesInMemory(part, { [target.id.name]: id }) === "no" ? "no" : "unknown"
}

type PredicateOf<Kind extends Predicate["kind"]> = Extract<Predicate, { kind: Kind }>
