import { type FilterOperator, filterOperators } from "../../../engine/introspect/filter-operators.ts"
import type { BlockType, FieldType, OperatorFamily } from "../../../schema/compile/field-type.ts"
import type { JsonSchema } from "../../../wire/results/json-schema.ts"
import { FLAG, listOf, MOMENT, objectOf, orNull, TEXT, WHOLE_NUMBER } from "../schema-parts.ts"
import type { Components } from "./components.ts"

/**
 * Returns the schema of a filter on a field without a relation: a value, null, or an object of operators. Undefined if
 * the field cannot be in a filter. Filters on fields of the same type are one component.
 */
export function filterSchema(type: FieldType, components: Components): JsonSchema | undefined {
  if (type.operators === "none") return undefined
  const name = sharedName(type)
  const make = () => makeFilter(type, components)
  return name === undefined ? make() : components.refer(`${name}Filter`, make)
}

/** Returns the schema of the object of operators that a field of this type takes. */
export function operatorMembers(type: FieldType, components: Components): Readonly<Record<string, JsonSchema>> {
  const item = type.blocks ? itemFilter(type.blocks, components) : undefined
  const members = filterOperators(type).map((operator) => [
    operator.name,
    operator.operand === "itemFilter" && item ? item : operandSchema(operator, type),
  ])
  return Object.fromEntries(members)
}

/** Returns the schema of a value to which a field of this type is compared. */
export function valueSchema(type: FieldType): JsonSchema {
  if (type.options) return { enum: type.options }
  if (JSON_FAMILIES.includes(type.operators)) return JSON_VALUE
  const { input } = type.typescript
  if (input === "boolean") return FLAG
  if (input.includes("Date")) return MOMENT
  if (!input.includes("number")) return TEXT
  return input === "number" ? { type: "number" } : { type: ["number", "string"] }
}

const JSON_VALUE: JsonSchema = Object.freeze({ type: ["object", "array", "number", "boolean"] })
const JSON_FAMILIES: readonly OperatorFamily[] = ["json", "jsonList", "blocks"]

function makeFilter(type: FieldType, components: Components): JsonSchema {
  const isBare = type.operators !== "list" && !JSON_FAMILIES.includes(type.operators)
  const properties = operatorMembers(type, components)
  const operators = { type: "object", properties, additionalProperties: false, minProperties: 1 }
  return { anyOf: [...(isBare ? [valueSchema(type)] : []), { type: "null" }, operators] }
}

// Returns a reference to the schema of a filter on an item of a list of blocks. Conditions on the members of a block need
// the name of the block beside them.
function itemFilter(blocks: ReadonlyMap<string, BlockType>, components: Components): JsonSchema {
  const name = components.freeName("ItemFilter")
  return components.refer(name, () => {
    const self = { $ref: `#/components/schemas/${name}` }
    const nested = { AND: listOf(self), OR: listOf(self), NOT: self }
    const names = { enum: [...blocks.keys()] }
    const operators = objectOf({ "eq?": names, "ne?": names, "in?": listOf(names), "notIn?": listOf(names) })
    const ofAny = { type: "object", properties: { type: { anyOf: [names, operators] }, ...nested } }
    const ofEach = [...blocks.values()].map((block) => ({
      type: "object",
      properties: { type: namedType(block), ...memberFilters(block, components), ...nested },
      required: ["type"],
    }))
    return { anyOf: [ofAny, ...ofEach].map((schema) => ({ ...schema, additionalProperties: false })) }
  })
}

function namedType({ name }: BlockType): JsonSchema {
  return { anyOf: [{ const: name }, objectOf({ eq: { const: name } })] }
}

function memberFilters({ members }: BlockType, components: Components): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(members.map(({ name, type }) => [name, filterSchema(type, components) ?? {}]))
}

// Returns the name that filters of this type share, if their operands do not depend on the field.
function sharedName(type: FieldType): string | undefined {
  if (type.options || type.element || type.blocks) return undefined
  if (type.operators === "text") return "Text"
  if (type.operators === "id") return "Id"
  if (type.operators === "json") return "Json"
  const { input } = type.typescript
  if (input === "boolean") return "Boolean"
  if (input.includes("Date")) return "Moment"
  if (input === "number") return "Number"
  return input.includes("number") ? "LongNumber" : "OrderedText"
}

function operandSchema({ name, operand }: FilterOperator, type: FieldType): JsonSchema {
  const value = valueSchema(type)
  switch (operand) {
    case "value":
      return name === "eq" || name === "ne" ? orNull(value) : value
    case "list":
      return listOf(value)
    case "pair":
      return { ...listOf(value), minItems: 2, maxItems: 2 }
    case "flag":
      return FLAG
    case "text":
    case "pattern":
      return TEXT
    case "path":
      return PATH
    case "item":
      return valueSchema(type.element ?? type)
    case "items":
      return listOf(valueSchema(type.element ?? type))
    case "count":
      return { ...WHOLE_NUMBER, minimum: 0 }
    // The types with such an operator have blocks, for which `operatorMembers` has the schema.
    case "itemFilter":
      return {}
    default:
      return operand satisfies never
  }
}

const COMPARED: JsonSchema = Object.freeze({ type: ["string", "number"] })
const PATH: JsonSchema = objectOf({
  at: { anyOf: [TEXT, listOf(TEXT)] },
  "eq?": {},
  "ne?": {},
  "gt?": COMPARED,
  "gte?": COMPARED,
  "lt?": COMPARED,
  "lte?": COMPARED,
})
