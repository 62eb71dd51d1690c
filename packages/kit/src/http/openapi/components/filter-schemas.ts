import { type FilterOperator, filterOperators } from "../../../engine/introspect/filter-operators.ts"
import type { FieldType } from "../../../schema/compile/field-type.ts"
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
  return name === undefined ? makeFilter(type) : components.refer(`${name}Filter`, () => makeFilter(type))
}

/** Returns the schema of the object of operators that a field of this type takes. */
export function operatorMembers(type: FieldType): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(filterOperators(type).map((operator) => [operator.name, operandSchema(operator, type)]))
}

/** Returns the schema of a value to which a field of this type is compared. */
export function valueSchema(type: FieldType): JsonSchema {
  if (type.options) return { enum: type.options }
  if (type.operators === "json" || type.operators === "jsonList") return JSON_VALUE
  const { input } = type.typescript
  if (input === "boolean") return FLAG
  if (input.includes("Date")) return MOMENT
  if (!input.includes("number")) return TEXT
  return input === "number" ? { type: "number" } : { type: ["number", "string"] }
}

const JSON_VALUE: JsonSchema = Object.freeze({ type: ["object", "array", "number", "boolean"] })

function makeFilter(type: FieldType): JsonSchema {
  const isList = type.operators === "list" || type.operators === "jsonList"
  const isBare = !isList && type.operators !== "json"
  const operators = { type: "object", properties: operatorMembers(type), additionalProperties: false, minProperties: 1 }
  return { anyOf: [...(isBare ? [valueSchema(type)] : []), { type: "null" }, operators] }
}

// Returns the name that filters of this type share, if their operands do not depend on the field.
function sharedName(type: FieldType): string | undefined {
  if (type.options || type.element) return undefined
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
