import {
  type FieldReference,
  type Relation,
  type Resource,
  type ResourceField,
  toManyOf,
} from "../../schema/compile/resource.ts"
import { invalid } from "../../wire/errors/api-error.ts"
import { didYouMean } from "../../wire/errors/did-you-mean.ts"
import { QUERY_LIMITS } from "../../wire/options/query-options.ts"
import { guardedFilter } from "../filter/guarded-filter.ts"
import { isMasked } from "../filter/masked-field.ts"
import { ALWAYS, type Predicate, predicateOf } from "../filter/predicate.ts"
import { visibleRows } from "../filter/visible-rows.ts"
import { outputField } from "../text/locale-map.ts"
import { type AskedPart, askedParts } from "./asked-parts.ts"
import type { ParseContext } from "./parse-context.ts"
import { parseToMany, TO_MANY_OPTION_NAMES } from "./parse-to-many.ts"
import { parseWhereAt } from "./parse-where.ts"
import { relationInStage } from "./relation-stage.ts"
import type { HydratedPart, HydratedRelation, Selection } from "./selection.ts"
import { sharedSelection } from "./shared-selection.ts"

/** Parses `columns` and `with`. Callers with the same visible fields and rows share one cached selection. */
export function parseSelection(resource: Resource, options: SelectionInput, parseContext: ParseContext): Selection {
  return sharedSelection({ resource, shape: selectionKey(options), parseContext }, () =>
    new SelectionParser(parseContext).parse(resource, options, { path: "", depth: 0, toManyHops: 0 }),
  )
}

/** Returns the selection of all fields that are visible to the caller, without relations. */
export function wholeSelection(resource: Resource, parseContext: ParseContext): Selection {
  return parseSelection(resource, {}, parseContext)
}

function selectionKey({ columns, with: relations }: SelectionInput): string {
  return columns === undefined && relations === undefined ? "" : JSON.stringify([columns, relations], losslessReplacer)
}

// Replaces each value that JSON would omit or cannot represent with a string, so that different options never have the
// same cache key.
function losslessReplacer(_name: string, value: unknown): unknown {
  const isPlain = typeof value === "string" || typeof value === "boolean" || typeof value === "object"
  return isPlain ? value : `${typeof value} ${String(value)}`
}

interface SelectionInput {
  readonly columns?: unknown
  readonly with?: unknown
}

interface SelectionPosition {
  readonly path: string
  readonly depth: number
  /** The number of to-many relations that lead from the requested resource to this position. */
  readonly toManyHops: number
}

/** A relation that `with` names, whose options are not parsed yet. */
interface AskedRelation {
  readonly value: unknown
  readonly position: SelectionPosition
}

interface ParsedTarget {
  readonly selection: Selection
  readonly filter: Predicate
}

/** The related records that the option `with` adds to a selection. */
interface Hydrated {
  readonly relations: readonly HydratedRelation[]
  readonly parts: readonly HydratedPart[]
}

const NOTHING: Hydrated = { relations: [], parts: [] }

const NESTED_OPTIONS = ["columns", "where", "with", "stage"]

class SelectionParser {
  readonly #parseContext: ParseContext
  #relations = 0

  constructor(parseContext: ParseContext) {
    this.#parseContext = parseContext
  }

  parse(resource: Resource, options: SelectionInput, position: SelectionPosition): Selection {
    const readable = this.#parseContext.visibility.fields(resource)
    const selected = selectedFields(readable, options.columns, `${position.path}columns`)
    const { relations, parts } =
      options.with === undefined ? NOTHING : this.#parseWith(resource, options.with, position)
    const shown = parts.length === 0 ? selected : withFieldsOf(parts, selected)
    const fields = resource.kind === "global" ? shown : withId(resource, shown)
    const isComputed = fields.some((field) => field.type.compute)
    const selection = { resource, fields, relations, ...(parts.length > 0 && { parts }) }
    return withMasks(withLocales(isComputed ? withComputed(selection, readable) : selection))
  }

  #parseWith(resource: Resource, input: unknown, position: SelectionPosition): Hydrated {
    const path = `${position.path}with`
    if (!isRecord(input)) throw invalid(path, "Expected an object such as { author: true }.")
    for (const name of Object.keys(input)) this.#relationOf(resource, name, `${path}.${name}`)
    const named = Object.entries(input).filter(([, value]) => !isFlag(value, false))
    if (named.length > 0 && position.depth >= QUERY_LIMITS.maxWithDepth) {
      throw invalid(path, `Relations may be nested at most ${QUERY_LIMITS.maxWithDepth} levels deep.`)
    }
    const relations: HydratedRelation[] = []
    const parts: HydratedPart[] = []
    for (const [name, value] of named) {
      const asked = { value, position: { ...position, path: `${path}.${name}` } }
      const field = this.#relationOf(resource, name, asked.position.path)
      if (field.relation) relations.push(this.#parseRelation(field, asked))
      else parts.push(...this.#parseParts(field, asked))
    }
    return { relations, parts }
  }

  #parseParts(field: ResourceField, { value, position }: AskedRelation): HydratedPart[] {
    const refuse = (path: string, problem: string) => {
      throw invalid(path, problem)
    }
    const { isText } = this.#parseContext
    const asked = askedParts(field, { value, path: position.path }, { isText, refuse })
    return asked.map((part) => this.#parsePart(field, part, position))
  }

  // A field's value can have many such ids, so the filter is evaluated as often as one on a relation to many records.
  #parsePart(field: ResourceField, { reference, value, path }: AskedPart, position: SelectionPosition): HydratedPart {
    this.#count(path)
    const options = this.#nestedOptions(value, path, NESTED_OPTIONS)
    const { target } = this.#inNamedStage({ kind: "belongsTo", ...reference }, options, path)
    const at = { ...position, path, toManyHops: position.toManyHops + 1 }
    const { selection, filter } = this.#parseTarget(target, options, at)
    return { field, reference, selection, predicate: this.#readableRows(target, filter) }
  }

  #parseRelation(field: ResourceField, { value, position }: AskedRelation): HydratedRelation {
    this.#count(position.path)
    const names = toManyOf(field) ? TO_MANY_OPTION_NAMES : NESTED_OPTIONS
    const options = this.#nestedOptions(value, position.path, names)
    const relation = this.#inNamedStage(requireRelation(field), options, position.path)
    const { target } = relation
    if (relation.kind === "belongsTo") {
      const { selection, filter } = this.#parseTarget(target, options, position)
      return { field, selection, predicate: this.#readableRows(target, filter) }
    }
    const at = { ...position, toManyHops: position.toManyHops + 1 }
    const { selection, filter } = this.#parseTarget(target, options, at)
    return {
      field,
      selection,
      predicate: guardedFilter(visibleRows(relation, this.#parseContext.visibility), filter),
      toMany: parseToMany(relation, { options, path: position.path }, this.#parseContext),
    }
  }

  #nestedOptions(value: unknown, path: string, names: readonly string[]): Record<string, unknown> {
    // In a query string, an empty string stands for an empty object.
    return nestedOptions(this.#parseContext.isText && value === "" ? {} : value, path, names)
  }

  #parseTarget(target: Resource, options: Record<string, unknown>, position: SelectionPosition): ParsedTarget {
    const { path, depth, toManyHops } = position
    const selection = this.parse(target, options, { path: `${path}.`, depth: depth + 1, toManyHops })
    // The to-many relations that lead to these records count for the filter's cost, because the filter is evaluated
    // once for each parent record.
    const where = { input: options["where"], path: `${path}.where`, filterPath: { hops: 0, toManyHops } }
    return { selection, filter: where.input === undefined ? ALWAYS : parseWhereAt(target, where, this.#parseContext) }
  }

  #readableRows(target: Resource, filter: Predicate): Predicate {
    return guardedFilter(predicateOf(this.#parseContext.visibility.rows(target)), filter)
  }

  // Returns the relation as it leads to the stage that the options name.
  #inNamedStage(relation: Relation, options: Record<string, unknown>, path: string): Relation {
    return relationInStage(relation, { options, path }, this.#parseContext.relationStages)
  }

  #relationOf(resource: Resource, name: string, path: string): ResourceField {
    const readable = [...this.#parseContext.visibility.fields(resource).values()]
    const relations = readable.filter((field) => field.relation || field.references.length > 0)
    const field = relations.find((relation) => relation.name === name)
    if (field) return field
    const names = relations.map((relation) => relation.name)
    throw invalid(path, `There is no relation "${name}".${didYouMean(name, names)}`)
  }

  #count(path: string): void {
    this.#relations += 1
    if (this.#relations > QUERY_LIMITS.maxWithRelations) {
      throw invalid(path, `A read may hydrate at most ${QUERY_LIMITS.maxWithRelations} relations.`)
    }
  }
}

function requireRelation({ relation, name }: ResourceField): Relation {
  if (relation === undefined) throw new Error(`Field "${name}" is not a relation.`)
  return relation
}

// Adds the fields in whose values records are hydrated, even if the option `columns` leaves them out: a relation to one
// record is in the response, too, whichever columns were requested.
function withFieldsOf(parts: readonly HydratedPart[], selected: ResourceField[]): ResourceField[] {
  return [...new Set([...selected, ...parts.map(({ field }) => field)])]
}

// Adds the fields that computed fields need. A computed field receives every field that is visible to the caller,
// whichever columns were requested.
function withComputed(selection: Selection, readable: ReadonlyMap<string, ResourceField>): Selection {
  const asked = selection.fields.filter((field) => !field.type.compute)
  const inputs = [...readable.values()].filter((field) => isRead(field) && !asked.includes(field))
  const fields = selection.fields.filter((field) => field.type.compute)
  return { ...selection, fields: [...asked, ...inputs], computed: { fields, inputs } }
}

// Replaces each field that is requested in all locales with a field whose value is a map by locale.
function withLocales(selection: Selection): Selection {
  const { fields, computed, parts } = selection
  if (!fields.some((field) => field.localized?.isMap)) return selection
  const hydrated = parts?.map((part) => ({ ...part, field: outputField(part.field) }))
  const answered = { ...selection, fields: fields.map(outputField), ...(hydrated && { parts: hydrated }) }
  return computed ? { ...answered, computed: { ...computed, inputs: computed.inputs.map(outputField) } } : answered
}

function withMasks(selection: Selection): Selection {
  const { fields, computed, relations } = selection
  const shown = new Set([...fields, ...(computed?.fields ?? []), ...relations.map(({ field }) => field)])
  const masked = [...shown].filter(isMasked)
  return masked.length === 0 ? selection : { ...selection, masked }
}

function isRead({ isStored, type, comparison }: ResourceField): boolean {
  return isStored || type.expression !== undefined || comparison !== undefined
}

function selectedFields(readable: ReadonlyMap<string, ResourceField>, columns: unknown, path: string): ResourceField[] {
  const all = [...readable.values()].filter((field) => toManyOf(field) === undefined)
  if (columns === undefined) return all
  if (!isRecord(columns)) throw invalid(path, "Expected an object such as { title: true }.")
  const entries = Object.entries(columns)
  const names = new Set(all.map((field) => field.name))
  for (const [name, value] of entries) checkColumn(names, { name, value }, `${path}.${name}`)
  const wanted = new Set(entries.filter(([, value]) => isFlag(value, true)).map(([name]) => name))
  if (wanted.size > 0 && wanted.size < entries.length) throw invalid(path, "Use either true or false, not both.")
  if (wanted.size > 0) return all.filter((field) => wanted.has(field.name))
  return all.filter((field) => !Object.hasOwn(columns, field.name))
}

/** Returns the maximum number of related records in a response that has one record. */
export function maxRelatedRecords({ relations, parts = [] }: Selection): number {
  const counts = [
    ...relations.map(
      ({ toMany, selection }) => (toMany ? toMany.window.limit : 1) * (1 + maxRelatedRecords(selection)),
    ),
    ...parts.map(({ reference, selection }) => recordsIn(reference) * (1 + maxRelatedRecords(selection))),
  ]
  return counts.reduce((sum, count) => sum + count, 0)
}

// A list in a value may have any number of ids. It counts like a relation to many records without a limit; the bytes of
// the response are limited, too.
function recordsIn({ steps }: FieldReference): number {
  return steps.some(({ kind }) => kind === "items") ? QUERY_LIMITS.defaultLimit : 1
}

// Adds the id to the selected fields. The id shows if a joined row exists, and it is part of every record.
function withId(resource: Resource, fields: ResourceField[]): ResourceField[] {
  return fields[0] === resource.id ? fields : [resource.id, ...fields]
}

function checkColumn(
  names: ReadonlySet<string>,
  { name, value }: { name: string; value: unknown },
  path: string,
): void {
  if (!names.has(name)) throw invalid(path, `There is no field "${name}".${didYouMean(name, names)}`)
  if (!isFlag(value, true) && !isFlag(value, false)) throw invalid(path, "Expected true or false.")
}

function nestedOptions(value: unknown, path: string, known: readonly string[]): Record<string, unknown> {
  if (isFlag(value, true)) return {}
  if (!isRecord(value)) throw invalid(path, "Expected true or an object of options.")
  for (const name of Object.keys(value)) {
    if (!known.includes(name)) {
      throw invalid(`${path}.${name}`, `There is no option "${name}" here.${didYouMean(name, known)}`)
    }
  }
  return value
}

// True if the value is this flag. In a query string, a flag is the string "true" or "false".
function isFlag(value: unknown, flag: boolean): boolean {
  return value === flag || value === String(flag)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
