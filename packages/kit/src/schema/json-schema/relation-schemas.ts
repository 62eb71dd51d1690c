import type { JsonSchema } from "../../wire/results/json-schema.ts"
import { checkedByServer } from "./checked-by-server.ts"
import { objectSchema } from "./object-schema.ts"

/** The maximum number of records that one relation of an input may write. */
export const MAX_OPERATIONS = 1000

/** The schemas of an id that the server generates. */
export const ID_SCHEMAS: RelationSchemas = Object.freeze({
  input: Object.freeze({
    type: "string",
    pattern: "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$",
  }),
  output: Object.freeze({ type: "string", format: "uuid" }),
})

/** The type of the ids to which a relation refers, as far as its schemas need it. */
interface IdType {
  readonly jsonSchema: { readonly input: JsonSchema; readonly output: JsonSchema }
}

interface RelationSchemas {
  readonly input: JsonSchema
  readonly output: JsonSchema
}

/** Returns the schemas of a relation to one record: its id, or one operation. */
export function toOneSchemas({ jsonSchema: id }: IdType): RelationSchemas {
  const operations = [
    only({ connect: only({ id: id.input }) }),
    only({ create: NESTED_INPUT }),
    only({ connectOrCreate: CONNECT_OR_CREATE }),
    only({ disconnect: { const: true } }),
  ]
  const input = checkedByServer({ anyOf: [id.input, ...operations] }, ["relation"])
  return Object.freeze({ input, output: toOneOutput(id) })
}

/** Returns the schemas of a relation inside of a value: the record's id, in whose place a read may put the record. */
export function partSchemas({ jsonSchema: id }: IdType): RelationSchemas {
  return Object.freeze({ input: id.input, output: toOneOutput(id) })
}

function toOneOutput(id: RelationSchemas): JsonSchema {
  return Object.freeze({ anyOf: [id.output, { type: "object" }] })
}

/** Returns the schemas of a relation to many records: a list of ids, or operations. */
export function toManySchemas(id: IdType): RelationSchemas {
  return manySchemas(id, {})
}

/** Like `toManySchemas`, for a relation whose records can also be moved. */
export function orderedManySchemas(id: IdType): RelationSchemas {
  const { input } = id.jsonSchema
  const moves = [
    only({ id: input, before: input }),
    only({ id: input, after: input }),
    only({ id: input, to: { enum: ["start", "end"] } }),
  ]
  return manySchemas(id, { move: oneOrList({ anyOf: moves }) })
}

function manySchemas({ jsonSchema: id }: IdType, others: Readonly<Record<string, JsonSchema>>): RelationSchemas {
  const named = { anyOf: [id.input, only({ id: id.input })] }
  const ids = oneOrList(named)
  const operations = {
    set: ids,
    disconnect: ids,
    delete: ids,
    update: oneOrList(only({ id: id.input, data: NESTED_INPUT })),
    connect: ids,
    create: oneOrList(NESTED_INPUT),
    connectOrCreate: oneOrList(CONNECT_OR_CREATE),
    ...others,
  }
  const object = objectSchema(Object.entries(operations).map(([name, schema]) => ({ name, schema, isRequired: false })))
  const input = checkedByServer({ anyOf: [listOf(named), object] }, ["relation"])
  return Object.freeze({ input, output: Object.freeze({ type: "array", items: { type: "object" } }) })
}

// The input of a related record. Its own collection decides which fields it may have.
const NESTED_INPUT: JsonSchema = Object.freeze({ type: "object" })

const CONNECT_OR_CREATE = only({ where: NESTED_INPUT, create: NESTED_INPUT })

function only(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return objectSchema(Object.entries(properties).map(([name, schema]) => ({ name, schema, isRequired: true })))
}

function oneOrList(item: JsonSchema): JsonSchema {
  return { anyOf: [item, listOf(item)] }
}

function listOf(items: JsonSchema): JsonSchema {
  return { type: "array", items, maxItems: MAX_OPERATIONS }
}
