import { Field } from "../field.ts"
import type { FieldType, Parsed } from "../field-type.ts"

interface RelationRules {
  readonly target: string
}

/** A record of another collection, stored as its id. */
export class RelationField extends Field<string, RelationRules> {
  get target(): string {
    return this.rules.target
  }

  override compile(): FieldType {
    return { ...idType, name: "relation", parse: parseReference }
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function isId(value: unknown): value is string {
  return typeof value === "string" && UUID.test(value)
}

/** The id of a record. */
export const idType: FieldType = Object.freeze<FieldType>({
  name: "id",
  sqlType: "uuid",
  operators: "id",
  typescript: { output: "string", input: "string" },
  parse: parseId,
  parseOperand: parseId,
  parseText: parseId,
})

function parseId(value: unknown): Parsed {
  return isId(value) ? { value: value.toLowerCase() } : { problem: "Expected the id of a record." }
}

// A write may name the target by its id or as { connect: { id } }.
function parseReference(value: unknown): Parsed {
  if (typeof value !== "object" || value === null) return parseId(value)
  const connect = soleProperty(value, "connect")
  const id = soleProperty(connect, "id")
  return id === undefined ? { problem: "Expected the id of a record, or { connect: { id } }." } : parseId(id)
}

function soleProperty(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined
  const keys = Object.keys(value)
  return keys.length === 1 && keys[0] === name ? (value as Record<string, unknown>)[name] : undefined
}
