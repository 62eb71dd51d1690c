/** The operators a field can be filtered with; each family is a row of the operator table. */
export type OperatorFamily = "text" | "ordered" | "choice" | "json" | "id"

/** A value that fits, or the sentence that says why it does not. */
export type Parsed = { readonly value: unknown } | { readonly problem: string }

/** How a field's type names itself in generated code. */
export interface TypescriptNames {
  readonly output: string
  readonly input: string
}

/** Everything the floors above need to know about a kind of value. It is compiled once per field. */
export interface FieldType {
  readonly name: string
  readonly sqlType: string
  readonly operators: OperatorFamily
  readonly typescript: TypescriptNames
  /** How the extended JSON format tags the value, for values plain JSON cannot hold. */
  readonly extended?: "Date" | "BigInt"
  /** Checks and normalises a value that is about to be stored. */
  parse(value: unknown): Parsed
  /** Checks the type of a value in a filter, where rules such as a maximum length do not apply. */
  parseOperand(value: unknown): Parsed
  /** Reads the value of a filter that arrives as text, in a query string. */
  parseText(text: string): Parsed
  /** The form in which the driver stores a parsed value; absent where it is the value itself. */
  toSql?(value: unknown): unknown
}

export function isProblem(parsed: Parsed): parsed is { readonly problem: string } {
  return "problem" in parsed
}
