import type { Resource } from "../../schema/compile/resource.ts"
import { invalid } from "../../wire/errors/api-error.ts"
import { FIELD_MEASURES, type FieldMeasure } from "../../wire/options/aggregate-options.ts"
import { QUERY_LIMITS } from "../../wire/options/query-options.ts"
import type { ParseContext } from "../parse/parse-context.ts"
import { isRecord } from "../parse/where-position.ts"
import { aggregatedField } from "./aggregated-field.ts"
import type { Measure } from "./aggregation.ts"
import { COUNT_TYPE, measureType } from "./measure-type.ts"

/** A measure as a request names it: `count`, or another one with a field. */
interface NamedMeasure {
  readonly kind: FieldMeasure
  readonly name: string
  readonly path: string
}

/** Collects the values that an aggregate computes, each of them once. */
export class MeasureList {
  readonly #resource: Resource
  readonly #parseContext: ParseContext
  readonly #measures = new Map<string, Measure>()

  constructor(resource: Resource, parseContext: ParseContext) {
    this.#resource = resource
    this.#parseContext = parseContext
  }

  get all(): readonly Measure[] {
    return [...this.#measures.values()]
  }

  /** Adds the values that the options request. */
  addShown(options: Readonly<Record<string, unknown>>): void {
    const { count } = options
    if (count !== undefined && count !== true && count !== "true") throw invalid("count", "Expected true.")
    if (count !== undefined) this.#add("count", { kind: "count", type: COUNT_TYPE, isShown: true, path: "count" })
    for (const kind of FIELD_MEASURES) {
      if (options[kind] === undefined) continue
      for (const name of namedFields(options[kind], kind)) this.#field({ kind, name, path: `${kind}.${name}` }, true)
    }
  }

  /** Returns the number of records, which a condition or the order needs. */
  count(path: string): Measure {
    return this.#add("count", { kind: "count", type: COUNT_TYPE, isShown: false, path })
  }

  /** Returns the value of a field that a condition or the order needs. */
  field(named: NamedMeasure): Measure {
    return this.#field(named, false)
  }

  #field({ kind, name, path }: NamedMeasure, isShown: boolean): Measure {
    const field = aggregatedField(this.#resource, { name, path }, this.#parseContext)
    const type = measureType(kind, field.type)
    if (type === undefined)
      throw invalid(path, `The field "${name}" is of the type ${field.type.name}, ${WITHOUT[kind]}.`)
    return this.#add(`${kind} ${name}`, { kind, field, type, isShown, path })
  }

  #add(key: string, { path, ...measure }: NewMeasure): Measure {
    const known = this.#measures.get(key)
    if (known) return known
    const most = QUERY_LIMITS.maxMeasures
    if (this.#measures.size >= most) throw invalid(path, `An aggregate computes at most ${most} values.`)
    const added: Measure = { ...measure, column: `m${this.#measures.size}` }
    this.#measures.set(key, added)
    return added
  }
}

type WithoutColumn<Part> = Part extends Measure ? Omit<Part, "column"> : never
type NewMeasure = WithoutColumn<Measure> & { readonly path: string }

const WITHOUT: Readonly<Record<FieldMeasure, string>> = {
  sum: "which has no sum",
  avg: "which has no average",
  min: "which has no least value",
  max: "which has no greatest value",
}

function namedFields(input: unknown, path: string): readonly string[] {
  if (!isRecord(input)) {
    const example = Array.isArray(input) && typeof input[0] === "string" ? input[0] : "price"
    throw invalid(path, `Expected an object with the names of the fields, such as { ${example}: true }.`)
  }
  const given = Object.entries(input).filter(([, value]) => value !== undefined)
  for (const [name, value] of given) {
    if (value !== true && value !== "true") throw invalid(`${path}.${name}`, "Expected true.")
  }
  if (given.length === 0) throw invalid(path, "Name at least one field, such as { price: true }.")
  return given.map(([name]) => name)
}
