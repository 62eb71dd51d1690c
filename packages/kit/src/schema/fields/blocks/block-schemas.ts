import type { JsonSchema } from "../../../wire/results/json-schema.ts"
import type { FieldType } from "../../compile/field-type.ts"
import { checkedByServer } from "../../json-schema/checked-by-server.ts"
import { objectSchema, type Property } from "../../json-schema/object-schema.ts"
import { type ItemCounts, itemLimits } from "../array.ts"
import { inputProperties, outputProperties } from "../members/member-schemas.ts"
import { ITEM_ID_PATTERN, type MembersByBlock } from "./parse-blocks.ts"

const ITEM_ID: JsonSchema = Object.freeze({ type: "string", pattern: ITEM_ID_PATTERN })
const STORED_ID: JsonSchema = Object.freeze({ type: "string" })

/** Returns the JSON Schemas of a list of blocks: each item has the schema of one block, which its `type` names. */
export function blocksSchemas(blocks: MembersByBlock, counts: ItemCounts): FieldType["jsonSchema"] {
  const inputs = [...blocks].map(([name, members]) =>
    objectSchema([typeOf(name), { name: "id", schema: ITEM_ID, isRequired: false }, ...inputProperties(members)]),
  )
  const outputs = [...blocks].map(([name, members]) =>
    objectSchema([typeOf(name), { name: "id", schema: STORED_ID, isRequired: true }, ...outputProperties(members)]),
  )
  return Object.freeze({
    input: checkedByServer({ type: "array", items: { anyOf: inputs }, ...itemLimits(counts) }, ["id"]),
    output: Object.freeze({ type: "array", items: { anyOf: [...outputs, removedBlock([...blocks.keys()])] } }),
  })
}

function typeOf(name: string): Property {
  return { name: "type", schema: { const: name }, isRequired: true }
}

// Items of blocks that the field no longer has stay in the records that have them.
function removedBlock(names: readonly string[]): JsonSchema {
  return { type: "object", properties: { type: { type: "string", not: { enum: names } } }, required: ["type"] }
}
