import { inspect } from "node:util"
import type { Statement } from "../../ports/database.ts"
import type { Session } from "../../ports/session-provider.ts"
import type { Resource, ResourceField } from "../../schema/compile/resource.ts"
import type { ToManyOptions } from "../../sql/parse/parse-to-many.ts"
import type { ComputedSelection, HydratedPart, HydratedRelation, Selection } from "../../sql/parse/selection.ts"

/** A planned read, with everything else that its result depends on. */
interface PlannedRead {
  readonly statement: Statement
  readonly selection: Selection
  /** The part of the result's shape that neither the statement nor the selection shows. */
  readonly shape?: string
  readonly locale: string
  /**
   * The session, or null for an anonymous caller. Set only if hooks process the result, because a hook may read the
   * session.
   */
  readonly hookSession?: Session | null
}

/**
 * Returns a key that two reads share only if they have the same result, even if their callers differ. The key contains
 * the statement, which determines the rows. It also contains the selection, which determines how records are made from
 * the rows, because the statement does not show all of it.
 */
export function answerKey({ statement, selection, shape, locale, hookSession }: PlannedRead): string {
  const values = valuesKey(statement.values)
  const session = hookSession === undefined ? [] : [inspect(hookSession, INSPECT_OPTIONS)]
  return JSON.stringify([statement.text, values, shape, locale, describe(SELECTION, selection), ...session])
}

/** Returns a text that is equal for two lists of parameters only if the lists are equal. */
export function valuesKey(values: Statement["values"]): string {
  return JSON.stringify(values, bigintsWithMark)
}

// Options for `inspect`, which describes a session in the key. JSON cannot describe it, because a session provider may
// put sets and big integers into the claims.
const INSPECT_OPTIONS = {
  depth: Number.POSITIVE_INFINITY,
  maxArrayLength: Number.POSITIVE_INFINITY,
  maxStringLength: Number.POSITIVE_INFINITY,
  customInspect: false,
  sorted: true,
}

/**
 * For each property of the type `Part`, a function that returns what the property adds to the key. It is a compile
 * error to leave out a property.
 */
type Descriptions<Part> = {
  readonly [Member in keyof Part]-?: (value: Exclude<Part[Member], undefined>, part: Part) => unknown
}

// Leaves a property out of the key. Used for properties that affect the result only through the statement, which is in
// the key.
const inStatement = () => 0

const SELECTION: Descriptions<Selection> = {
  resource: numberOf,
  fields: (fields, { resource }) => fields.map((field) => describeField(resource, field)),
  relations: (relations) => relations.map((relation) => describe(RELATION, relation)),
  computed: (computed) => describe(COMPUTED, computed),
  masked: namesOf,
  parts: (parts) => parts.map((part) => describe(PART, part)),
}

const COMPUTED: Descriptions<ComputedSelection> = { fields: namesOf, inputs: namesOf }

const RELATION: Descriptions<HydratedRelation> = {
  field: ({ name }) => name,
  selection: (selection) => describe(SELECTION, selection),
  predicate: inStatement,
  toMany: (many) => describe(MANY, many),
}

const PART: Descriptions<HydratedPart> = {
  field: ({ name }) => name,
  reference: ({ steps }) => steps,
  selection: (selection) => describe(SELECTION, selection),
  predicate: inStatement,
}

const MANY: Descriptions<ToManyOptions> = {
  relation: inStatement,
  order: inStatement,
  window: inStatement,
  isCounted: (isCounted) => isCounted,
  visibility: inStatement,
}

function describe<Part extends object>(descriptions: Descriptions<Part>, part: Part): readonly unknown[] {
  // The cast is safe: `descriptions` has exactly the property names of `part`.
  const members = Object.keys(descriptions) as (keyof Part)[]
  return members.map((member) => {
    const value = part[member]
    // The cast is safe: `value` is not undefined here, but the compiler does not narrow an indexed access type.
    return value === undefined ? null : descriptions[member](value as Exclude<Part[keyof Part], undefined>, part)
  })
}

function namesOf(fields: readonly ResourceField[]): readonly string[] {
  return fields.map(({ name }) => name)
}

// Describes a selected field in the key. The field may be a modified copy of a declared field, for example if it is
// hidden in some rows. The names of the modified properties are then enough, because the statement, which is also in
// the key, determines how the copy is read.
function describeField({ fields, id }: Resource, field: ResourceField): unknown {
  const declared = fields.get(field.name) ?? id
  if (field === declared) return field.name
  const members = Object.entries(field).filter(([name, value]) => Reflect.get(declared, name) !== value)
  return [field.name, ...members.map(([name]) => name)]
}

const numbers = new WeakMap<Resource, number>()
let numbered = 0

// Returns a number that is unique to this compiled resource. Each schema, locale and stage has its own compiled
// resource, so the number identifies the fields with their functions, the locale with its fallbacks, and the stage.
function numberOf(resource: Resource): number {
  const number = numbers.get(resource) ?? ++numbered
  numbers.set(resource, number)
  return number
}

function bigintsWithMark(_name: string, value: unknown): unknown {
  return typeof value === "bigint" ? `${value}n` : value
}
