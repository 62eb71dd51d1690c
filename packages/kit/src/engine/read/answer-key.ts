import { inspect } from "node:util"
import type { Statement } from "../../ports/database.ts"
import type { Session } from "../../ports/session-provider.ts"
import type { Resource, ResourceField } from "../../schema/compile/resource.ts"
import type { ToManyOptions } from "../../sql/parse/parse-to-many.ts"
import type { ComputedSelection, HydratedRelation, Selection } from "../../sql/parse/selection.ts"

/** A planned read, with everything else that its answer depends on. */
interface PlannedRead {
  readonly statement: Statement
  readonly selection: Selection
  readonly locale: string
  /** The session, null for an anonymous caller. Set only if hooks, which may read it, process the answer. */
  readonly hookSession?: Session | null
}

/**
 * Returns a key that is equal only for reads with the same answer, also of different callers. The statement determines
 * the rows; the selection determines the records made of them, and much of that is not in the statement.
 */
export function answerKey({ statement, selection, locale, hookSession }: PlannedRead): string {
  const values = JSON.stringify(statement.values, bigintsWithMark)
  const session = hookSession === undefined ? [] : [inspect(hookSession, INSPECT_OPTIONS)]
  return JSON.stringify([statement.text, values, locale, describe(SELECTION, selection), ...session])
}

// For `inspect` instead of JSON: a session provider may put sets and big integers into the claims, which JSON lacks.
const INSPECT_OPTIONS = {
  depth: Number.POSITIVE_INFINITY,
  maxArrayLength: Number.POSITIVE_INFINITY,
  maxStringLength: Number.POSITIVE_INFINITY,
  customInspect: false,
  sorted: true,
}

/** A function per property that describes it in the key. A new property without an entry is a compile error. */
type Descriptions<Part> = {
  readonly [Member in keyof Part]-?: (value: Exclude<Part[Member], undefined>, part: Part) => unknown
}

// For properties that need no place in the key: if one changes the answer, it also changes the statement.
const inStatement = () => 0

const SELECTION: Descriptions<Selection> = {
  resource: numberOf,
  fields: (fields, { resource }) => fields.map((field) => describeField(resource, field)),
  relations: (relations) => relations.map((relation) => describe(RELATION, relation)),
  computed: (computed) => describe(COMPUTED, computed),
  masked: namesOf,
}

const COMPUTED: Descriptions<ComputedSelection> = { fields: namesOf, inputs: namesOf }

const RELATION: Descriptions<HydratedRelation> = {
  field: ({ name }) => name,
  selection: (selection) => describe(SELECTION, selection),
  predicate: inStatement,
  toMany: (many) => describe(MANY, many),
}

const MANY: Descriptions<ToManyOptions> = {
  relation: inStatement,
  order: inStatement,
  window: inStatement,
  isCounted: (isCounted) => isCounted,
  visibility: inStatement,
}

function describe<Part extends object>(descriptions: Descriptions<Part>, part: Part): readonly unknown[] {
  // The descriptions have exactly the names of the part's properties.
  const members = Object.keys(descriptions) as (keyof Part)[]
  return members.map((member) => {
    const value = part[member]
    // The compiler does not narrow an indexed access type after the check for undefined.
    return value === undefined ? null : descriptions[member](value as Exclude<Part[keyof Part], undefined>, part)
  })
}

function namesOf(fields: readonly ResourceField[]): readonly string[] {
  return fields.map(({ name }) => name)
}

// A selection may hold a modified copy of a field, for example of a field that is hidden in some rows. The statement
// determines how it is read; the names of the properties that differ from the declared field identify the copy.
function describeField({ fields, id }: Resource, field: ResourceField): unknown {
  const declared = fields.get(field.name) ?? id
  if (field === declared) return field.name
  const members = Object.entries(field).filter(([name, value]) => Reflect.get(declared, name) !== value)
  return [field.name, ...members.map(([name]) => name)]
}

const numbers = new WeakMap<Resource, number>()
let numbered = 0

// Each schema, locale and stage has its own compiled resource, so the number of a resource identifies its fields with
// their functions, the locale with its fallbacks, and the stage.
function numberOf(resource: Resource): number {
  const number = numbers.get(resource) ?? ++numbered
  numbers.set(resource, number)
  return number
}

function bigintsWithMark(_name: string, value: unknown): unknown {
  return typeof value === "bigint" ? `${value}n` : value
}
