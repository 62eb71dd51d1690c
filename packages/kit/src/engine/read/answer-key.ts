import { inspect } from "node:util"
import type { Statement } from "../../ports/database.ts"
import type { Session } from "../../ports/session-provider.ts"
import type { Resource, ResourceField } from "../../schema/compile/resource.ts"
import type { HydratedMany } from "../../sql/parse/parse-many.ts"
import type { ComputedPart, HydratedRelation, Selection } from "../../sql/parse/selection.ts"

/** A planned read, and what else its answer depends on. */
interface AnsweredRead {
  readonly statement: Statement
  readonly selection: Selection
  readonly locale: string
  /** Set where code of the author's that is shown the answer may look at the session, which is null for an anonymous caller. */
  readonly shownTo?: Session | null
}

/**
 * A text that is equal only for reads with the same answer, whoever asks. The statement says which rows are read; the
 * selection says which records are made of them, and much of that is not in the statement.
 */
export function answerKey({ statement, selection, locale, shownTo }: AnsweredRead): string {
  const values = JSON.stringify(statement.values, bigintsWithMark)
  const session = shownTo === undefined ? [] : [inspect(shownTo, WHOLE)]
  return JSON.stringify([statement.text, values, locale, describe(SELECTION, selection), ...session])
}

// The claims of a session are up to its provider: JSON has no sets and no big integers.
const WHOLE = {
  depth: Number.POSITIVE_INFINITY,
  maxArrayLength: Number.POSITIVE_INFINITY,
  maxStringLength: Number.POSITIVE_INFINITY,
  customInspect: false,
  sorted: true,
}

/** How each member of a part is described. The compiler asks for an entry here when a part gets another member. */
type Descriptions<Part> = {
  readonly [Member in keyof Part]-?: (value: Exclude<Part[Member], undefined>, part: Part) => unknown
}

// The statement differs where such a member does, or the answer does not.
const inStatement = () => 0

const SELECTION: Descriptions<Selection> = {
  resource: numberOf,
  fields: (fields, { resource }) => fields.map((field) => describeField(resource, field)),
  relations: (relations) => relations.map((relation) => describe(RELATION, relation)),
  computed: (computed) => describe(COMPUTED, computed),
  masked: namesOf,
}

const COMPUTED: Descriptions<ComputedPart> = { fields: namesOf, inputs: namesOf }

const RELATION: Descriptions<HydratedRelation> = {
  field: ({ name }) => name,
  selection: (selection) => describe(SELECTION, selection),
  predicate: inStatement,
  many: (many) => describe(MANY, many),
}

const MANY: Descriptions<HydratedMany> = {
  relation: inStatement,
  order: inStatement,
  window: inStatement,
  isCounted: (isCounted) => isCounted,
  visibility: inStatement,
}

function describe<Part extends object>(descriptions: Descriptions<Part>, part: Part): readonly unknown[] {
  // The descriptions have the names of the part's members and no others.
  const members = Object.keys(descriptions) as (keyof Part)[]
  return members.map((member) => {
    const value = part[member]
    // The compiler cannot tell that what is not undefined is no longer undefined.
    return value === undefined ? null : descriptions[member](value as Exclude<Part[keyof Part], undefined>, part)
  })
}

function namesOf(fields: readonly ResourceField[]): readonly string[] {
  return fields.map(({ name }) => name)
}

// A selection may hold a copy of a field, such as one that some rows hide. The statement says how it is read; the names of
// the members in which it differs from the declared field say what it is.
function describeField({ fields, id }: Resource, field: ResourceField): unknown {
  const declared = fields.get(field.name) ?? id
  if (field === declared) return field.name
  const members = Object.entries(field).filter(([name, value]) => Reflect.get(declared, name) !== value)
  return [field.name, ...members.map(([name]) => name)]
}

const numbers = new WeakMap<Resource, number>()
let numbered = 0

// A resource is compiled once for each reading of the schema, so its number stands for its fields and their functions, the
// locale with its fallbacks, and the stage.
function numberOf(resource: Resource): number {
  const number = numbers.get(resource) ?? ++numbered
  numbers.set(resource, number)
  return number
}

function bigintsWithMark(_name: string, value: unknown): unknown {
  return typeof value === "bigint" ? `${value}n` : value
}
