import { type DefaultFunction, Field } from "../builders/field.ts"
import { type FieldType, NO_LIMITS, type Parsed } from "../compile/field-type.ts"
import type { Validation } from "../compile/validation.ts"
import { JSON_MAX_DEPTH, jsonObject, jsonReference } from "../json-schema/json-definitions.ts"

/** A field for any JSON value. The author can give its type: `f.json<{ theme: string }>()`. */
export class JsonField<Value = unknown> extends Field<unknown, object> {
  declare readonly value: Value

  // Two signatures instead of a union, which would be `unknown` for a field without a type: the compiler could then not
  // infer the type of the function's parameter.
  override default(make: DefaultFunction<Value>): this
  override default(value: Value): this
  override default(value: unknown): this {
    return super.default(value)
  }

  override validate(validation: Validation<Value>): this {
    // The cast is safe: the check is called only with values that this field's type has parsed.
    return super.validate(validation as Validation)
  }

  /**
   * Lets several people edit the field's value at the same time, each with an editor that supports Yjs. The record has
   * the value of the shared document, which is an object.
   */
  collaborative(): this {
    return this.withTraits({ collaborative: true })
  }

  override compile(): FieldType {
    return this.traits.collaborative ? jsonObjectType : jsonType
  }
}

export const jsonType: FieldType = Object.freeze<FieldType>({
  name: "json",
  sqlType: "jsonb",
  operators: "json",
  typescript: { output: "unknown", input: "unknown" },
  jsonSchema: Object.freeze({ input: Object.freeze(jsonReference(JSON_MAX_DEPTH)), output: Object.freeze({}) }),
  limits: NO_LIMITS,
  parse: parseJson,
  parseOperand: parseJsonOperand,
  parseText: parseJsonText,
  toSql: toJsonText,
})

const jsonObjectType: FieldType = Object.freeze<FieldType>({
  ...jsonType,
  jsonSchema: Object.freeze({ input: Object.freeze(jsonObject(JSON_MAX_DEPTH)), output: Object.freeze({}) }),
  parse: parseJsonObject,
})

// A shared document has named members, so it can only hold an object.
function parseJsonObject(value: unknown): Parsed {
  return isPlainObject(value) ? parseJson(value) : { problem: "Expected an object." }
}

/** Serializes a value to JSON text. A bigint becomes a string of digits. */
export function toJsonText(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === "bigint" ? String(part) : part))
}

export function parseJson(value: unknown): Parsed {
  const problem = findJsonProblem(value, 0)
  return problem === undefined ? { value } : { problem }
}

/** Parses a value in a filter on a JSON field. Dates and bigints become strings, as they are in stored JSON. */
export function parseJsonOperand(value: unknown): Parsed {
  return parseJson(inJson(value, 0))
}

function inJson(value: unknown, depth: number): unknown {
  if (typeof value === "bigint") return String(value)
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString()
  if (depth > JSON_MAX_DEPTH) return value
  if (Array.isArray(value)) return value.map((item) => inJson(item, depth + 1))
  if (!isPlainObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inJson(item, depth + 1)]))
}

export function parseJsonText(text: string): Parsed {
  try {
    return parseJson(JSON.parse(text))
  } catch {
    return { problem: "Expected JSON text." }
  }
}

// Finds values that jsonb cannot hold (U+0000, a lone surrogate) or that JSON would silently change (a Date, a Map).
function findJsonProblem(value: unknown, depth: number): string | undefined {
  if (depth > JSON_MAX_DEPTH) return `Must not be nested deeper than ${JSON_MAX_DEPTH} levels.`
  if (typeof value === "string") return findTextProblem(value)
  if (value === null || typeof value === "boolean" || Number.isFinite(value)) return undefined
  if (Array.isArray(value)) return firstProblem(value, (item) => findJsonProblem(item, depth + 1))
  if (!isPlainObject(value)) return "Expected a JSON value: text, number, boolean, null, list or object."
  return firstProblem(Object.entries(value), ([key, item]) => findTextProblem(key) ?? findJsonProblem(item, depth + 1))
}

function findTextProblem(text: string): string | undefined {
  if (text.includes("\0")) return "Must not contain the character U+0000."
  return text.isWellFormed() ? undefined : "Must be well-formed Unicode."
}

function firstProblem<Item>(items: readonly Item[], find: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const problem = find(item)
    if (problem !== undefined) return problem
  }
  return undefined
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
