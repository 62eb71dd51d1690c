import type { Validation } from "./validation.ts"

/** The operators a field can be filtered with; each family is a row of the operator table. */
export type OperatorFamily = "text" | "ordered" | "choice" | "json" | "id" | "list" | "jsonList" | "none"

/** A value that fits, or the sentence that says why it does not. */
export type Parsed = { readonly value: unknown } | Problem

export interface Problem {
  readonly problem: string
  /** Where inside the value it is, for values that are made of parts. */
  readonly parts?: readonly PartProblem[]
}

export interface PartProblem {
  /** Within the value: "street", "0.sku". */
  readonly path: string
  readonly problem: string
}

/** A `.validate(…)` of a part of a value, and the part it is about. */
export interface PartCheck {
  readonly path: string
  readonly value: unknown
  readonly validation: Validation
}

/** The SQL of a virtual field: its text, with the columns it names. */
export type SqlExpression = readonly ({ readonly text: string } | SqlColumn)[]

export interface SqlColumn {
  readonly column: string
  /** Set where the column holds a value for each locale: the SQL means the one that is read. */
  readonly localized?: { readonly chain: readonly string[]; readonly sqlType: string }
}

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
  readonly extended?: ExtendedTag
  /** The same for the parts of the value, by their paths in it; `*` stands for every element of a list. */
  readonly extendedParts?: Readonly<Record<string, ExtendedTag>>
  /** What a list is made of. */
  readonly element?: FieldType
  /** A virtual field: the SQL that gives its value. */
  readonly expression?: SqlExpression
  /** Checks and normalises a value that is about to be stored. */
  parse(value: unknown): Parsed
  /** Checks the type of a value in a filter, where rules such as a maximum length do not apply. */
  parseOperand(value: unknown): Parsed
  /** Reads the value of a filter that arrives as text, in a query string. */
  parseText(text: string): Parsed
  /** The form in which the driver stores a parsed value; absent where it is the value itself. */
  toSql?(value: unknown): unknown
  /** The value that JSON stands for, null excepted; absent where it is the JSON itself. */
  fromJson?(json: unknown): unknown
  /**
   * The value that stands for one of a wider type: a newer version of the app may have changed the column while this
   * process still runs. Absent where values look the same whatever the column is.
   */
  fromWider?(value: unknown): unknown
  /** The author's checks of the parts of a parsed value. */
  checkParts?(value: unknown): readonly PartCheck[]
  /** A computed field: makes its value from the row as the caller may read it. */
  compute?(row: Readonly<Record<string, unknown>>): unknown
}

type ExtendedTag = "Date" | "BigInt"

export function isProblem(parsed: Parsed): parsed is Problem {
  return "problem" in parsed
}

/** The problems of a value with its parts, as one. */
export function problemInParts(parts: readonly [PartProblem, ...PartProblem[]]): Problem {
  return { problem: `${parts[0].path}: ${parts[0].problem}`, parts }
}

/** The problems of a value that is called `name` in something larger. */
export function problemsAt(name: string, { problem, parts }: Problem): readonly PartProblem[] {
  if (parts === undefined) return [{ path: name, problem }]
  return parts.map((part) => ({ path: `${name}.${part.path}`, problem: part.problem }))
}

/** Whether values are made from the row, by SQL or by a function, so that nobody can write them. */
export function isDerived(type: FieldType): boolean {
  return type.expression !== undefined || type.compute !== undefined
}

/** Whether records can be sorted by such values. */
export function isSortable({ operators }: FieldType): boolean {
  return operators === "text" || operators === "ordered" || operators === "choice" || operators === "id"
}
