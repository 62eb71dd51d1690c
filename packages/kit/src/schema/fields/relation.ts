import { Field } from "../builders/field.ts"
import { type FieldType, isProblem, NO_LIMITS, type Parsed } from "../compile/field-type.ts"
import type { OnDelete } from "../compile/resource.ts"
import {
  ID_SCHEMAS,
  MAX_OPERATIONS,
  orderedManySchemas,
  partSchemas,
  toManySchemas,
  toOneSchemas,
} from "../json-schema/relation-schemas.ts"

interface RelationRules {
  readonly target: string
  /** True for `f.upload(…)`. The target must then be a collection of files. */
  readonly isUpload?: boolean
  readonly onDelete?: OnDelete
}

/**
 * A field that refers to one record of another collection. It stores that record's id. `Via` is the type of the names
 * that `hasMany` accepts.
 */
export class RelationField<Via = string> extends Field<string, RelationRules> {
  get target(): string {
    return this.rules.target
  }

  /**
   * Sets the effect of deleting the record to which this field refers. The delete is refused (`restrict`, the default),
   * this field becomes null (`setNull`), or the record with this field is deleted too (`cascade`).
   */
  onDelete(onDelete: OnDelete): this {
    return this.withRules({ onDelete })
  }

  /**
   * Makes a relation to the target collection's records whose field `via` refers to this record. This field has no
   * column.
   */
  hasMany({ via }: { via: Via }): ToManyField {
    return this.#toMany({ kind: "hasMany", via: String(via) })
  }

  /**
   * Makes a relation to many records by a link table. If both collections declare a field for the relation, both fields
   * must have the same `through`. With `ordered`, the related records of each record are in the order that its writers
   * give them.
   */
  manyToMany({ through, ordered = false }: ManyToManyOptions = {}): ToManyField {
    return this.#toMany({ kind: "manyToMany", through, isOrdered: ordered })
  }

  #toMany(way: ToManyRules["way"]): ToManyField {
    const { target, isUpload } = this.rules
    return new ToManyField({ target, way, ...(isUpload && { isUpload }) }, this.traits)
  }

  override compile(): FieldType {
    return this.compileFor(idType)
  }

  /** Compiles the field for a target collection whose ids have the type `id`. `compile` assumes ids from the server. */
  compileFor(id: FieldType): FieldType {
    const name = this.rules.isUpload ? "upload" : "relation"
    return { ...id, name, jsonSchema: toOneSchemas(id), limits: NO_LIMITS, parse: (value) => parseReference(id, value) }
  }

  /** Compiles the field as a part of another field, for a target collection whose ids have the type `id`. */
  compilePart(id: FieldType): FieldType {
    const { target, isUpload = false, onDelete } = this.rules
    // The check of the app's definition refuses "cascade".
    const reference = { steps: [], target, isUpload, onDelete: onDelete === "setNull" ? onDelete : "restrict" } as const
    const references = Object.freeze([Object.freeze(reference)])
    const name = isUpload ? "upload" : "relation"
    return { ...id, name, jsonSchema: partSchemas(id), limits: NO_LIMITS, references }
  }

  override mistakes(): readonly string[] {
    const { onDelete = "restrict" } = this.rules
    if (!ON_DELETE.includes(onDelete)) return [`has .onDelete("${onDelete}"). Use one of ${ON_DELETE.join(", ")}.`]
    const cannotBeEmpty = onDelete === "setNull" && this.traits.required
    return cannotBeEmpty
      ? ['is required and cannot have .onDelete("setNull"). Use "cascade", or leave out .required().']
      : []
  }
}

interface ManyToManyOptions {
  through?: string
  ordered?: boolean
}

const ON_DELETE: readonly string[] = ["restrict", "setNull", "cascade"] satisfies OnDelete[]

interface ToManyRules {
  readonly target: string
  /** True for `f.upload(…)`. The target must then be a collection of files. */
  readonly isUpload?: boolean
  readonly way:
    | { readonly kind: "hasMany"; readonly via: string }
    | { readonly kind: "manyToMany"; readonly through: string | undefined; readonly isOrdered: boolean }
}

/** A field that refers to any number of records of another collection. */
export class ToManyField extends Field<readonly string[], ToManyRules> {
  get target(): string {
    return this.rules.target
  }

  override compile(): FieldType {
    return this.compileFor(idType)
  }

  /** Compiles the field for a target collection whose ids have the type `id`. `compile` assumes ids from the server. */
  compileFor(id: FieldType): FieldType {
    const { way } = this.rules
    const isOrdered = way.kind === "manyToMany" && way.isOrdered
    return {
      ...id,
      name: "relation",
      jsonSchema: isOrdered ? orderedManySchemas(id) : toManySchemas(id),
      limits: NO_LIMITS,
      parse: (value) => parseNestedMany({ id, isOrdered }, value),
    }
  }

  override mistakes(): readonly string[] {
    const { required, unique, index, default: value } = this.traits
    const refused = Object.entries({ required, unique, index, default: value !== undefined })
    const mistakes = refused.flatMap(([name, isSaid]) =>
      isSaid ? [`is a relation to many records and cannot have .${name}(). Remove it.`] : [],
    )
    const { way } = this.rules
    const isLoose = way.kind === "manyToMany" && way.through !== undefined && !LINK_NAME.test(way.through)
    return isLoose
      ? [...mistakes, `has an invalid name "${way.through}" in through. Use up to 40 letters, digits and _.`]
      : mistakes
  }
}

const LINK_NAME = /^[a-zA-Z][a-zA-Z0-9_]{0,39}$/

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function isId(value: unknown): value is string {
  return typeof value === "string" && UUID.test(value)
}

/** The type of a record id that the server generates. */
export const idType: FieldType = Object.freeze<FieldType>({
  name: "id",
  sqlType: "uuid",
  operators: "id",
  typescript: { output: "string", input: "string" },
  jsonSchema: ID_SCHEMAS,
  limits: NO_LIMITS,
  parse: parseId,
  parseOperand: parseId,
  parseText: parseId,
})

function parseId(value: unknown): Parsed {
  return isId(value) ? { value: value.toLowerCase() } : { problem: "Expected the id of a record." }
}

// Parses the input of a relation to one record: the record's id, or an object with one operation such as { create }.
function parseReference(id: FieldType, value: unknown): Parsed {
  return typeof value === "object" && value !== null ? parseNestedOne(id, value) : id.parse(value)
}

/**
 * A nested write in a relation to one record. It runs before the outer record is written. Hooks get it as the caller
 * sent it.
 */
export type NestedOne = NestedCreate | NestedConnectOrCreate

// These types are interfaces, because the compiler copies an anonymous type into every generic type that contains it.
interface NestedCreate {
  readonly create: unknown
}

interface NestedConnectOrCreate {
  readonly connectOrCreate: { readonly where: unknown; readonly create: unknown }
}

/** The nested writes in a relation to many records. The properties are in the order in which the operations run. */
export interface NestedMany {
  /** Replaces all related records by the records with these ids. The other operations run after this one. */
  readonly set: readonly string[] | undefined
  readonly disconnect: readonly string[]
  readonly delete: readonly string[]
  readonly update: readonly { readonly id: string; readonly data: unknown }[]
  readonly connect: readonly string[]
  readonly create: readonly unknown[]
  readonly connectOrCreate: readonly { readonly where: unknown; readonly create: unknown }[]
  /** The changes of the order, which are made one after the other. Absent if the relation is not ordered. */
  readonly move?: readonly LinkMove[]
}

/** Moves one related record of an ordered relation next to another one, or to one of the two ends. */
export type LinkMove = MoveBefore | MoveAfter | MoveTo

interface MoveBefore {
  readonly id: string
  readonly before: string
}

interface MoveAfter {
  readonly id: string
  readonly after: string
}

interface MoveTo {
  readonly id: string
  readonly to: "start" | "end"
}

const TO_ONE_PROBLEM =
  "Expected the id of a record, or one of { connect: { id } }, { create }, { connectOrCreate }, { disconnect: true }."

/** Parses the nested write of a relation to one record, which is an object with one operation. */
function parseNestedOne(id: FieldType, input: object): Parsed {
  const entries = Object.entries(input)
  const [name, value] = entries[0] ?? []
  if (entries.length !== 1) return { problem: TO_ONE_PROBLEM }
  switch (name) {
    case "connect": {
      const given = isObject(value) ? readId(id, value) : TO_ONE_PROBLEM
      return isProblemText(given) ? { problem: TO_ONE_PROBLEM } : { value: given.id }
    }
    case "disconnect":
      return value === true ? { value: null } : { problem: "Expected { disconnect: true }." }
    case "create":
      return { value: { create: value } satisfies NestedOne }
    case "connectOrCreate": {
      const choice = readConnectOrCreate(value)
      return isProblemText(choice) ? { problem: choice } : { value: { connectOrCreate: choice } satisfies NestedOne }
    }
    default:
      return { problem: TO_ONE_PROBLEM }
  }
}

/** A relation to many records, as far as its input depends on it. */
interface ManyRelation {
  /** The type of the related records' ids. */
  readonly id: FieldType
  readonly isOrdered: boolean
}

/** Parses the input of a relation to many records: a list of ids, which means `set`, or an object with operations. */
function parseNestedMany({ id, isOrdered }: ManyRelation, input: unknown): Parsed {
  const operations = Array.isArray(input) ? { set: input } : input
  const known = isOrdered ? [...TO_MANY_OPERATIONS, MOVE] : TO_MANY_OPERATIONS
  if (!isObject(operations)) return { problem: `Expected a list of ids, or operations: ${known.join(", ")}.` }
  const unknown = Object.keys(operations).find((name) => !known.includes(name))
  if (unknown === MOVE) return { problem: NOTHING_TO_MOVE }
  if (unknown !== undefined) return { problem: `There is no operation "${unknown}". Known: ${known.join(", ")}.` }
  const problems: string[] = []
  const read = <Item>(name: string, readItem: (value: unknown) => Item | string): Item[] => {
    const items = listOf(operations[name]).map(readItem)
    const problem = items.find(isProblemText)
    if (problem !== undefined) problems.push(`${name}: ${problem}`)
    return items.filter((item) => !isProblemText(item)) as Item[]
  }
  const ids = (name: string) => [...new Set(read(name, (value) => readId(id, value)).map((named) => named.id))]
  const value: NestedMany = {
    set: operations["set"] === undefined ? undefined : ids("set"),
    disconnect: ids("disconnect"),
    delete: ids("delete"),
    update: read("update", (value) => readUpdate(id, value)),
    connect: ids("connect"),
    create: read("create", (data) => ({ data })).map(({ data }) => data),
    connectOrCreate: read("connectOrCreate", readConnectOrCreate),
    ...(isOrdered && { move: read(MOVE, (value) => readMove(id, value)) }),
  }
  const count = Object.values(operations).reduce<number>((sum, given) => sum + listOf(given).length, 0)
  if (count > MAX_OPERATIONS) problems.push(`At most ${MAX_OPERATIONS} records may be written through a relation.`)
  return problems[0] === undefined ? { value } : { problem: problems[0] }
}

const MOVE = "move"

const NOTHING_TO_MOVE =
  "The records of this relation have no order, so none can be moved. " +
  "An author gives them one by .manyToMany({ ordered: true })."

const TO_MANY_OPERATIONS: readonly string[] = [
  "set",
  "disconnect",
  "delete",
  "update",
  "connect",
  "create",
  "connectOrCreate",
]

// Returns the value as a list. A single value becomes a list with one item.
function listOf(value: unknown): readonly unknown[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value]
}

function readId(id: FieldType, value: unknown): { id: string } | string {
  const parsed = id.parse(isObject(value) && Object.keys(value).length === 1 ? value["id"] : value)
  return isProblem(parsed) ? "Expected the id of a record, or { id }." : { id: String(parsed.value) }
}

function readUpdate(id: FieldType, value: unknown): { id: string; data: unknown } | string {
  const problem = "Expected { id, data }."
  if (!isObject(value) || !isObject(value["data"]) || Object.keys(value).length !== 2) return problem
  const parsed = id.parse(value["id"])
  return isProblem(parsed) ? problem : { id: String(parsed.value), data: value["data"] }
}

function readConnectOrCreate(value: unknown): { where: unknown; create: unknown } | string {
  if (!isObject(value) || !isObject(value["where"]) || !isObject(value["create"]) || Object.keys(value).length !== 2) {
    return "Expected { where, create }."
  }
  return { where: value["where"], create: value["create"] }
}

const MOVE_PROBLEM = 'Expected { id, before: id }, { id, after: id } or { id, to: "start" | "end" }.'

function readMove(type: FieldType, value: unknown): LinkMove | string {
  if (!isObject(value) || Object.keys(value).length !== 2) return MOVE_PROBLEM
  const read = (name: string) => {
    const parsed = type.parse(value[name])
    return isProblem(parsed) ? undefined : String(parsed.value)
  }
  const [id, to] = [read("id"), value["to"]]
  if (id === undefined) return MOVE_PROBLEM
  if (to === "start" || to === "end") return { id, to }
  const [before, after] = [read("before"), read("after")]
  if (before === id || after === id) return "A record cannot be moved next to itself."
  if (before !== undefined) return { id, before }
  return after === undefined ? MOVE_PROBLEM : { id, after }
}

function isProblemText(value: unknown): value is string {
  return typeof value === "string"
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date)
}
