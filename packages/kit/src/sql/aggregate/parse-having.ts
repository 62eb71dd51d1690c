import { PLAIN_FIELD, type Resource, type ResourceField } from "../../schema/compile/resource.ts"
import { invalid } from "../../wire/errors/api-error.ts"
import { didYouMean } from "../../wire/errors/did-you-mean.ts"
import { FIELD_MEASURES, type FieldMeasure } from "../../wire/options/aggregate-options.ts"
import { ALWAYS, both, type Predicate } from "../filter/predicate.ts"
import type { ParseContext } from "../parse/parse-context.ts"
import { parseWhereAt } from "../parse/parse-where.ts"
import { isRecord } from "../parse/where-position.ts"
import type { Measure } from "./aggregation.ts"
import type { MeasureList } from "./measure-list.ts"

/** The context in which a `having` is parsed. */
interface HavingScope {
  readonly resource: Resource
  readonly measures: MeasureList
  readonly parseContext: ParseContext
}

const MEASURES: readonly string[] = ["count", ...FIELD_MEASURES]

/**
 * Parses `having`: conditions on computed values, such as `{ count: { gte: 2 }, sum: { price: { gt: 10 } } }`. The fields
 * of the returned predicate are columns with the values.
 */
export function parseHaving(input: unknown, scope: HavingScope): Predicate {
  if (input === undefined) return ALWAYS
  const given = isRecord(input) ? Object.entries(input) : []
  if (given.length === 0) throw invalid("having", "Expected conditions such as { count: { gte: 2 } }.")
  let predicate = ALWAYS
  for (const [name, conditions] of given) predicate = both(predicate, parseEntry({ name, conditions }, scope))
  return predicate
}

interface HavingEntry {
  readonly name: string
  readonly conditions: unknown
}

function parseEntry({ name, conditions }: HavingEntry, scope: HavingScope): Predicate {
  const path = `having.${name}`
  if (name === "count") return condition({ path: "having", name, value: conditions }, scope.measures.count(path), scope)
  if (!isFieldMeasure(name)) throw invalid(path, `"${name}" is not computed.${didYouMean(name, MEASURES)}`)
  const given = isRecord(conditions) ? Object.entries(conditions) : []
  if (given.length === 0) throw invalid(path, "Expected conditions by field, such as { price: { gt: 10 } }.")
  let predicate = ALWAYS
  for (const [field, value] of given) {
    const measure = scope.measures.field({ kind: name, name: field, path: `${path}.${field}` })
    predicate = both(predicate, condition({ path, name: field, value }, measure, scope))
  }
  return predicate
}

function isFieldMeasure(name: string): name is FieldMeasure {
  return FIELD_MEASURES.some((measure) => measure === name)
}

interface NamedCondition {
  /** The path of the object that has the condition. */
  readonly path: string
  readonly name: string
  readonly value: unknown
}

// A condition is parsed as that of a `where` on a single field: the computed value.
function condition(
  { path, name, value }: NamedCondition,
  { column, type }: Measure,
  { resource, parseContext }: HavingScope,
): Predicate {
  const field: ResourceField = { ...PLAIN_FIELD, name: column, type: type.operand }
  const named = new Map([[name, field]])
  const visibility = { ...parseContext.visibility, fields: () => named }
  return parseWhereAt(resource, { input: { [name]: value }, path }, { ...parseContext, visibility })
}
