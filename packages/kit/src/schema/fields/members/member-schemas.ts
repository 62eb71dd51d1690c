import type { JsonSchema } from "../../../wire/results/json-schema.ts"
import { checkedByServer } from "../../json-schema/checked-by-server.ts"
import { nullable, type Property, withoutNull } from "../../json-schema/object-schema.ts"
import type { Member } from "./compile-members.ts"

/**
 * Returns the JSON Schemas of the members in an input. A required member without a default has to be sent. A required
 * member with a default may be left out, but not null.
 */
export function inputProperties(members: readonly Member[]): readonly Property[] {
  return members.map(({ name, type, required, isOptional, traits }) => ({
    name,
    schema: required ? requiredInput(type.jsonSchema.input, traits) : nullable(type.jsonSchema.input),
    isRequired: !isOptional,
  }))
}

function requiredInput(input: JsonSchema, traits: Member["traits"]): JsonSchema {
  return checkedByServer(withoutNull(input), typeof traits.default === "function" ? ["function"] : [])
}

/** Returns the JSON Schemas of the members in an answer. */
export function outputProperties(members: readonly Member[]): readonly Property[] {
  return members.map(({ name, type: { jsonSchema }, required }) => ({
    name,
    schema: required ? jsonSchema.output : nullable(jsonSchema.output),
    isRequired: true,
  }))
}
