import { type Resource, type ResourceField, type ToManyRelation, toManyOf } from "../../schema/compile/resource.ts"
import { invalid } from "../../wire/errors/api-error.ts"
import { didYouMean } from "../../wire/errors/did-you-mean.ts"
import { QUERY_LIMITS } from "../../wire/options/query-options.ts"
import { comparisonWeight } from "../filter/comparison-weight.ts"
import { FILTER_ROOT, type FilterPath } from "../filter/filter-cost.ts"
import { maskOf } from "../filter/masked-field.ts"
import { type Operator, operatorsOf } from "../filter/operators.ts"
import { ALWAYS, both, type Predicate, predicateOf } from "../filter/predicate.ts"
import { rowsAmong } from "../filter/rows-among.ts"
import { shownRows } from "../filter/shown-rows.ts"
import { parseOperand } from "./parse-operand.ts"
import type { Reading } from "./reading.ts"

/** Parses the `where` of a resource; an error names the path of the invalid part. */
export function parseWhere(resource: Resource, input: unknown, reading: Reading): Predicate {
  return parseWhereAt(resource, { input, path: "where" }, reading)
}

/** Parses a `where` that is nested in another option. */
export function parseWhereAt(resource: Resource, { input, path, followed }: GivenWhere, reading: Reading): Predicate {
  return new WhereParser(reading).parse(resource, input, { path, depth: 0, followed: followed ?? FILTER_ROOT })
}

interface GivenWhere {
  readonly input: unknown
  readonly path: string
  /** The relations that lead to the filtered records. */
  readonly followed?: FilterPath
}

/** A field and its condition, or an operator and its operand. */
interface Entry {
  readonly name: string
  readonly value: unknown
}

// A comparison with null is never true in SQL. JSON null counts too, because writing null empties a field.
const NULLNESS: ReadonlyMap<string, string> = new Map([
  ["eq", "isNull"],
  ["ne", "isNotNull"],
])
const QUANTIFIERS: readonly string[] = ["some", "none", "every"]
const IS_NULL: Entry = { name: "isNull", value: true }

interface WherePosition {
  readonly path: string
  /** The number of filters that enclose this one. */
  readonly depth: number
  /** The relations on the way here. */
  readonly followed: FilterPath
}

/** A to-many relation, and the rows in which it is visible to the caller. */
interface Many {
  readonly relation: ToManyRelation
  readonly mask: Predicate
}

class WhereParser {
  readonly #reading: Reading
  #conditions = 0

  constructor(reading: Reading) {
    this.#reading = reading
  }

  parse(resource: Resource, input: unknown, place: WherePosition): Predicate {
    if (place.depth > QUERY_LIMITS.maxWhereDepth) {
      throw invalid(place.path, `Filters may be nested at most ${QUERY_LIMITS.maxWhereDepth} levels deep.`)
    }
    const given = this.#reading.isText && input === "" ? {} : input
    if (!isRecord(given)) throw invalid(place.path, "Expected an object of conditions.")
    const names = Object.keys(given)
    if (names.length === 0) this.#count(place.path)
    return allOf(names.map((name) => this.#parseEntry(resource, { name, value: given[name] }, inside(place, name))))
  }

  #parseEntry(resource: Resource, entry: Entry, place: WherePosition): Predicate {
    if (entry.value === undefined)
      throw invalid(place.path, "The value is undefined. Leave the condition out, or use null.")
    switch (entry.name) {
      case "AND":
        return { kind: "all", parts: this.#parseList(resource, entry.value, place) }
      case "OR":
        return { kind: "any", parts: this.#parseList(resource, entry.value, place) }
      case "NOT":
        return { kind: "not", part: this.parse(resource, entry.value, deeper(place)) }
      default:
        return this.#parseField(this.#fieldOf(resource, entry.name, place.path), entry.value, place)
    }
  }

  #parseList(resource: Resource, input: unknown, place: WherePosition): Predicate[] {
    const list = this.#reading.isText && input === "" ? [] : input
    if (!Array.isArray(list)) throw invalid(place.path, "Expected a list of conditions.")
    this.#count(place.path)
    return list.map((item, index) => this.parse(resource, item, deeper(inside(place, String(index)))))
  }

  #fieldOf(resource: Resource, name: string, path: string): ResourceField {
    const fields = this.#reading.visibility.fields(resource)
    const field = fields.get(name)
    if (field === undefined) throw invalid(path, `There is no field "${name}".${didYouMean(name, fields.keys())}`)
    return field
  }

  #parseField(field: ResourceField, value: unknown, place: WherePosition): Predicate {
    const toMany = toManyOf(field)
    if (toMany) return this.#parseToMany({ relation: toMany, mask: maskOf(field) }, value, place)
    if (field.type.operators === "none")
      throw invalid(place.path, `The field "${field.name}" is computed and cannot be filtered by.`)
    if (field.target && this.#reading.isText && value === "") return this.#related(field, value, place)
    if (field.target && isRecord(value)) return this.#parseRelation(field, value, place)
    if (isRecord(value)) return this.#parseOperators(field, value, place)
    return this.#compare(field, { name: "eq", value }, place)
  }

  #parseRelation(field: ResourceField, value: Record<string, unknown>, place: WherePosition): Predicate {
    const operators = operatorsOf(field.type.operators)
    const names = Object.keys(value)
    if (names.length === 0 || !names.every((name) => name === "is" || name === "isNot" || operators.has(name))) {
      return this.#related(field, value, place)
    }
    const parts = names.map((name): Predicate => {
      const at = inside(place, name)
      if (name !== "is" && name !== "isNot") return this.#compare(field, { name, value: value[name] }, at)
      const isSame = value[name] === null ? this.#compare(field, IS_NULL, at) : this.#related(field, value[name], at)
      return name === "is" ? isSame : { kind: "not", part: isSame }
    })
    return allOf(parts)
  }

  // Rows of the target that are hidden from the caller do not exist for the filter either.
  #related(field: ResourceField, input: unknown, place: WherePosition): Predicate {
    const target = field.target
    if (target === undefined) throw new Error(`Field "${field.name}" is not a relation.`)
    const access = this.#reading.visibility.rows(target)
    const part = this.parse(target, input, this.#followed(place, 0))
    return both(maskOf(field), { kind: "related", field, target, part: rowsAmong(predicateOf(access), part) })
  }

  #parseToMany(many: Many, value: unknown, place: WherePosition): Predicate {
    const names = isRecord(value) ? Object.keys(value) : []
    // The client cannot know that an empty filter is on a to-many relation, and sends it as `is`.
    const isEmpty = this.#reading.isText && isRecord(value) && names.length === 1 && value["is"] === ""
    if (isEmpty) return this.#some(many, "", place)
    if (!isRecord(value) || names.length === 0 || !names.every((name) => QUANTIFIERS.includes(name))) {
      return this.#some(many, value, place)
    }
    const parts = names.map((name): Predicate => {
      const at = inside(place, name)
      if (name === "every") return { kind: "not", part: this.#someOther(many, value[name], at) }
      const some = this.#some(many, value[name], at)
      return name === "none" ? { kind: "not", part: some } : some
    })
    return allOf(parts)
  }

  #some(many: Many, input: unknown, place: WherePosition): Predicate {
    return this.#someThat(many, this.parse(many.relation.target, input, this.#followed(place, 1)))
  }

  // `every` means that no record fails the filter.
  #someOther(many: Many, input: unknown, place: WherePosition): Predicate {
    return this.#someThat(many, {
      kind: "not",
      part: this.parse(many.relation.target, input, this.#followed(place, 1)),
    })
  }

  #followed(place: WherePosition, toManyHops: 0 | 1): WherePosition {
    const { hops, toManyHops: before } = place.followed
    const followed = { hops: hops + 1, toManyHops: before + toManyHops }
    this.#reading.cost?.addHop(followed, place.path)
    return { ...deeper(place), followed }
  }

  // A relation that is hidden in a row has no records there.
  #someThat({ relation, mask }: Many, wanted: Predicate): Predicate {
    const part = rowsAmong(shownRows(relation, this.#reading.visibility), wanted)
    return both(mask, { kind: "some", relation, part })
  }

  #parseOperators(field: ResourceField, value: Record<string, unknown>, place: WherePosition): Predicate {
    const names = Object.keys(value)
    if (names.length === 0) throw invalid(place.path, "Expected a value or an operator.")
    return allOf(names.map((name) => this.#compare(field, { name, value: value[name] }, inside(place, name))))
  }

  #compare(field: ResourceField, { name, value }: Entry, place: WherePosition): Predicate {
    this.#count(place.path)
    const nullness = NULLNESS.get(name)
    if (nullness !== undefined && value === null) return isNullness(field, nullness, place.path)
    const operator = operatorNamed(field, name, place.path)
    const operand = parseOperand({ operator, type: field.type, value, path: place.path }, this.#reading)
    if (nullness !== undefined && operand === null) return isNullness(field, nullness, place.path)
    this.#reading.cost?.addComparison(comparisonWeight({ operator, type: field.type, operand }), place.path)
    return { kind: "compare", field, operator, operand }
  }

  #count(path: string): void {
    this.#conditions += 1
    if (this.#conditions > QUERY_LIMITS.maxWhereConditions) {
      throw invalid(path, `A filter has at most ${QUERY_LIMITS.maxWhereConditions} conditions.`)
    }
  }
}

function isNullness(field: ResourceField, name: string, path: string): Predicate {
  return { kind: "compare", field, operator: operatorNamed(field, name, path), operand: true }
}

function operatorNamed(field: ResourceField, name: string, path: string): Operator {
  const operators = operatorsOf(field.type.operators)
  const operator = operators.get(name)
  if (operator) return operator
  const names = field.target ? [...operators.keys(), "is", "isNot"] : operators.keys()
  throw invalid(path, `The field "${field.name}" has no operator "${name}".${didYouMean(name, names)}`)
}

function allOf(parts: readonly Predicate[]): Predicate {
  return parts.length === 1 ? (parts[0] ?? ALWAYS) : { kind: "all", parts }
}

function inside(place: WherePosition, name: string): WherePosition {
  return { ...place, path: `${place.path}.${name}` }
}

function deeper(place: WherePosition): WherePosition {
  return { ...place, depth: place.depth + 1 }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date)
}
