import { Field } from "../builders/field.ts"
import { type FieldType, isProblem, NO_LIMITS, type Parsed } from "../compile/field-type.ts"
import { parseJson } from "./json.ts"

/** The values that a computed field's function may return: plain JSON. */
export type ComputedValue =
  | string
  | number
  | boolean
  | null
  | readonly ComputedValue[]
  | { readonly [name: string]: ComputedValue }

/** The record from which a computed field is computed: the fields that the caller may read. Relations are ids. */
export type ComputedRow = Readonly<Record<string, unknown>>

interface ComputedRules {
  readonly compute: (context: { readonly row: ComputedRow }) => unknown
}

const JSON_SCHEMA = Object.freeze({ input: Object.freeze({ not: {} }), output: Object.freeze({}) })

/** A field whose value is computed from the record on every read. The value is never stored. */
export class ComputedField<Value = unknown> extends Field<Value, ComputedRules> {
  override compile(): FieldType {
    const { compute } = this.rules
    return {
      name: "computed",
      sqlType: "",
      operators: "none",
      typescript: { output: "unknown", input: "never" },
      jsonSchema: JSON_SCHEMA,
      limits: NO_LIMITS,
      parse: refuse,
      parseOperand: refuse,
      parseText: refuse,
      compute: (row) => checked(compute({ row })),
    }
  }

  override mistakes(): readonly string[] {
    return typeof this.rules.compute === "function"
      ? []
      : ["is computed without a function. Write f.computed(({ row }) => …)."]
  }
}

function refuse(): Parsed {
  return { problem: "This field is computed." }
}

// Throws if a computed value is not valid JSON. Unchecked, it would fail or change silently during serialization.
function checked(value: unknown): unknown {
  const parsed = parseJson(value ?? null)
  if (isProblem(parsed))
    throw new TypeError(`A computed field returned a value that JSON cannot hold. ${parsed.problem}`)
  return parsed.value
}
