import { type Resource, type ResourceField, type ToManyRelation, toManyOf } from "../../schema/compile/resource.ts"
import { invalid } from "../../wire/errors/api-error.ts"
import { didYouMean } from "../../wire/errors/did-you-mean.ts"
import { QUERY_LIMITS } from "../../wire/options/query-options.ts"
import { comparisonWeight } from "../filter/comparison-weight.ts"
import { FILTER_ROOT, type FilterPath } from "../filter/filter-cost.ts"
import { guardedFilter } from "../filter/guarded-filter.ts"
import { maskOf } from "../filter/masked-field.ts"
import type { Operator } from "../filter/operator.ts"
import { operatorsOf } from "../filter/operators.ts"
import { ALWAYS, both, type Predicate, predicateOf } from "../filter/predicate.ts"
import { visibleRows } from "../filter/visible-rows.ts"
import type { ParseContext } from "./parse-context.ts"
import { parseItemFilter } from "./parse-item-filter.ts"
import { type OperandInput, parseOperand } from "./parse-operand.ts"
import { deeper, type FieldPosition, inside, isRecord, NULLNESS } from "./where-position.ts"

/** Parses a `where` on a resource. The error for an invalid `where` names the path of the invalid part. */
export function parseWhere(resource: Resource, input: unknown, parseContext: ParseContext): Predicate {
  return parseWhereAt(resource, { input, path: "where" }, parseContext)
}

/** Parses a `where` that is nested in another option. */
export function parseWhereAt(
  resource: Resource,
  { input, path, filterPath }: NestedWhere,
  parseContext: ParseContext,
): Predicate {
  return new WhereParser(parseContext).parse(resource, input, { path, depth: 0, filterPath: filterPath ?? FILTER_ROOT })
}

interface WherePosition extends FieldPosition {
  /** The number of relations that lead from the root of the filter to this position. */
  readonly filterPath: FilterPath
}

interface NestedWhere {
  readonly input: unknown
  readonly path: string
  /** The number of relations that lead to the filtered records. */
  readonly filterPath?: FilterPath
}

/** One entry of a `where`: a field name with its condition, or an operator name with its operand. */
interface Entry {
  readonly name: string
  readonly value: unknown
}

const QUANTIFIERS: readonly string[] = ["some", "none", "every"]
const IS_NULL: Entry = { name: "isNull", value: true }

/** A to-many relation, and the predicate for the rows in which the relation is visible to the caller. */
interface VisibleToMany {
  readonly relation: ToManyRelation
  readonly mask: Predicate
}

class WhereParser {
  readonly #parseContext: ParseContext
  #conditions = 0

  constructor(parseContext: ParseContext) {
    this.#parseContext = parseContext
  }

  parse(resource: Resource, input: unknown, position: WherePosition): Predicate {
    if (position.depth > QUERY_LIMITS.maxWhereDepth) {
      throw invalid(position.path, `Filters may be nested at most ${QUERY_LIMITS.maxWhereDepth} levels deep.`)
    }
    const given = this.#parseContext.isText && input === "" ? {} : input
    if (!isRecord(given)) throw invalid(position.path, "Expected an object of conditions.")
    const names = Object.keys(given)
    if (names.length === 0) this.#count(position.path)
    return allOf(names.map((name) => this.#parseEntry(resource, { name, value: given[name] }, inside(position, name))))
  }

  #parseEntry(resource: Resource, entry: Entry, position: WherePosition): Predicate {
    if (entry.value === undefined)
      throw invalid(position.path, "The value is undefined. Leave the condition out, or use null.")
    switch (entry.name) {
      case "AND":
        return { kind: "all", parts: this.#parseList(resource, entry.value, position) }
      case "OR":
        return { kind: "any", parts: this.#parseList(resource, entry.value, position) }
      case "NOT":
        return { kind: "not", part: this.parse(resource, entry.value, deeper(position)) }
      default:
        return this.#parseField(this.#fieldOf(resource, entry.name, position.path), entry.value, position)
    }
  }

  #parseList(resource: Resource, input: unknown, position: WherePosition): Predicate[] {
    const list = this.#parseContext.isText && input === "" ? [] : input
    if (!Array.isArray(list)) throw invalid(position.path, "Expected a list of conditions.")
    this.#count(position.path)
    return list.map((item, index) => this.parse(resource, item, deeper(inside(position, String(index)))))
  }

  #fieldOf(resource: Resource, name: string, path: string): ResourceField {
    const fields = this.#parseContext.visibility.fields(resource)
    const field = fields.get(name)
    if (field === undefined) throw invalid(path, `There is no field "${name}".${didYouMean(name, fields.keys())}`)
    return field
  }

  #parseField(field: ResourceField, value: unknown, position: WherePosition): Predicate {
    const toMany = toManyOf(field)
    if (toMany) return this.#parseToMany({ relation: toMany, mask: maskOf(field) }, value, position)
    if (field.type.operators === "none")
      throw invalid(position.path, `The field "${field.name}" is computed and cannot be filtered by.`)
    if (field.target && this.#parseContext.isText && value === "") return this.#related(field, value, position)
    if (field.target && isRecord(value)) return this.#parseRelation(field, value, position)
    if (isRecord(value)) return this.#parseOperators(field, value, position)
    return this.#compare(field, { name: "eq", value }, position)
  }

  #parseRelation(field: ResourceField, value: Record<string, unknown>, position: WherePosition): Predicate {
    const operators = operatorsOf(field.type.operators)
    const names = Object.keys(value)
    if (names.length === 0 || !names.every((name) => name === "is" || name === "isNot" || operators.has(name))) {
      return this.#related(field, value, position)
    }
    const parts = names.map((name): Predicate => {
      const at = inside(position, name)
      if (name !== "is" && name !== "isNot") return this.#compare(field, { name, value: value[name] }, at)
      const isSame = value[name] === null ? this.#compare(field, IS_NULL, at) : this.#related(field, value[name], at)
      return name === "is" ? isSame : { kind: "not", part: isSame }
    })
    return allOf(parts)
  }

  // Returns the predicate that the related record satisfies a filter. Records that are hidden from the caller do not
  // exist for the filter either.
  #related(field: ResourceField, input: unknown, position: WherePosition): Predicate {
    const target = field.target
    if (target === undefined) throw new Error(`Field "${field.name}" is not a relation.`)
    const access = this.#parseContext.visibility.rows(target)
    const part = this.parse(target, input, this.#follow(position, 0))
    return both(maskOf(field), { kind: "related", field, target, part: guardedFilter(predicateOf(access), part) })
  }

  #parseToMany(many: VisibleToMany, value: unknown, position: WherePosition): Predicate {
    const names = isRecord(value) ? Object.keys(value) : []
    // In a query string, the client sends an empty filter on a relation as `is` with an empty string, even for a
    // to-many relation, because the client does not know the kind of relation.
    const isEmpty = this.#parseContext.isText && isRecord(value) && names.length === 1 && value["is"] === ""
    if (isEmpty) return this.#some(many, "", position)
    if (!isRecord(value) || names.length === 0 || !names.every((name) => QUANTIFIERS.includes(name))) {
      return this.#some(many, value, position)
    }
    const parts = names.map((name): Predicate => {
      const at = inside(position, name)
      if (name === "every") return { kind: "not", part: this.#someFailing(many, value[name], at) }
      const some = this.#some(many, value[name], at)
      return name === "none" ? { kind: "not", part: some } : some
    })
    return allOf(parts)
  }

  #some(many: VisibleToMany, input: unknown, position: WherePosition): Predicate {
    return this.#someVisible(many, this.parse(many.relation.target, input, this.#follow(position, 1)))
  }

  // Returns the predicate that at least one related record fails the filter. Its negation is the operator `every`.
  #someFailing(many: VisibleToMany, input: unknown, position: WherePosition): Predicate {
    return this.#someVisible(many, {
      kind: "not",
      part: this.parse(many.relation.target, input, this.#follow(position, 1)),
    })
  }

  #follow(position: WherePosition, toManyHops: 0 | 1): WherePosition {
    const { hops, toManyHops: before } = position.filterPath
    const filterPath = { hops: hops + 1, toManyHops: before + toManyHops }
    this.#parseContext.cost?.addHop(filterPath, position.path)
    return { ...deeper(position), filterPath }
  }

  // Returns the predicate that at least one visible related record satisfies the predicate `wanted`. In rows that hide
  // the relation from the caller, the relation has no records.
  #someVisible({ relation, mask }: VisibleToMany, wanted: Predicate): Predicate {
    const part = guardedFilter(visibleRows(relation, this.#parseContext.visibility), wanted)
    return both(mask, { kind: "some", relation, part })
  }

  #parseOperators(field: ResourceField, value: Record<string, unknown>, position: WherePosition): Predicate {
    const names = Object.keys(value)
    if (names.length === 0) throw invalid(position.path, "Expected a value or an operator.")
    return allOf(names.map((name) => this.#compare(field, { name, value: value[name] }, inside(position, name))))
  }

  #compare(field: ResourceField, { name, value }: Entry, position: WherePosition): Predicate {
    this.#count(position.path)
    const nullness = NULLNESS.get(name)
    if (nullness !== undefined && value === null) return isNullness(field, nullness, position.path)
    const operator = operatorNamed(field, name, position.path)
    const operand = this.#parseOperand({ operator, type: field.type, value }, position)
    if (nullness !== undefined && operand === null) return isNullness(field, nullness, position.path)
    this.#parseContext.cost?.addComparison(comparisonWeight({ operator, type: field.type, operand }), position.path)
    return { kind: "compare", field, operator, operand }
  }

  #parseOperand(given: Omit<OperandInput, "path">, position: WherePosition): unknown {
    if (given.operator.operand !== "itemFilter")
      return parseOperand({ ...given, path: position.path }, this.#parseContext)
    const count = (path: string) => this.#count(path)
    return parseItemFilter({ ...given, position: deeper(position), count }, this.#parseContext)
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
  const operator = operatorsOf(field.type.operators).get(name)
  if (operator) return operator
  throw invalid(path, `The field "${field.name}" has no operator "${name}".${didYouMean(name, operatorNames(field))}`)
}

/** Returns the names of the operators that a filter may apply to the field. */
export function operatorNames(field: ResourceField): readonly string[] {
  if (toManyOf(field)) return QUANTIFIERS
  const names = [...operatorsOf(field.type.operators).keys()]
  return field.target ? [...names, "is", "isNot"] : names
}

function allOf(parts: readonly Predicate[]): Predicate {
  return parts.length === 1 ? (parts[0] ?? ALWAYS) : { kind: "all", parts }
}
