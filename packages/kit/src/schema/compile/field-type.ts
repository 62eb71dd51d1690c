import type { Validation } from "./validation.ts"

/** The set of filter operators of a field; each family is a row of the operator table. */
export type OperatorFamily = "text" | "ordered" | "choice" | "json" | "id" | "list" | "jsonList" | "none"

/** A valid value, or a sentence that says why it is not valid. */
export type Parsed = { readonly value: unknown } | Problem

export interface Problem {
  readonly problem: string
  /** The problems by path, for values that consist of parts. */
  readonly parts?: readonly PartProblem[]
}

export interface PartProblem {
  /** The path within the value: "street", "0.sku". */
  readonly path: string
  readonly problem: string
}

/** A `.validate(…)` of a part of a value, with the path and the value of the part. */
export interface PartCheck {
  readonly path: string
  readonly value: unknown
  readonly validation: Validation
}

/** The SQL of a virtual field, split into text and column references. */
export type SqlExpression = readonly ({ readonly text: string } | SqlColumn)[]

export interface SqlColumn {
  readonly column: string
  /** Set if the column holds a value for each locale: the SQL then means the value in the current locale. */
  readonly localized?: { readonly chain: readonly string[]; readonly sqlType: string }
}

/** The TypeScript types of a field in generated code. */
export interface TypescriptNames {
  readonly output: string
  readonly input: string
}

/** Everything that the other layers need to know about the values of a field. It is compiled once per field. */
export interface FieldType {
  readonly name: string
  readonly sqlType: string
  readonly operators: OperatorFamily
  readonly typescript: TypescriptNames
  /** The tag of the value in the extended JSON format, for values that plain JSON cannot hold. */
  readonly extended?: ExtendedTag
  /** The tags of the parts of the value, by path; `*` stands for every element of a list. */
  readonly extendedParts?: Readonly<Record<string, ExtendedTag>>
  /** The type of the elements of a list. */
  readonly element?: FieldType
  /** The SQL expression of a virtual field. */
  readonly expression?: SqlExpression
  /** Validates and normalises a value before it is stored. */
  parse(value: unknown): Parsed
  /** Checks the type of a value in a filter, where rules such as a maximum length do not apply. */
  parseOperand(value: unknown): Parsed
  /** Parses the value of a filter from the text of a query string. */
  parseText(text: string): Parsed
  /** Converts a parsed value for the driver; absent if the driver takes the value itself. */
  toSql?(value: unknown): unknown
  /** Converts stored JSON (never null) into the value; absent if the value is the JSON itself. */
  fromJson?(json: unknown): unknown
  /**
   * Converts a value of a wider column type: a newer version of the app may have changed the column while this process
   * still runs. Absent if the driver returns the same values for the wider type.
   */
  fromWider?(value: unknown): unknown
  /** Returns the author's checks of the parts of a parsed value. */
  checkParts?(value: unknown): readonly PartCheck[]
  /** Computes the value of a computed field from the fields of the row that are visible to the caller. */
  compute?(row: Readonly<Record<string, unknown>>): unknown
}

type ExtendedTag = "Date" | "BigInt"

export function isProblem(parsed: Parsed): parsed is Problem {
  return "problem" in parsed
}

/** Combines the problems of the parts of a value into one; its text is that of the first. */
export function combinePartProblems(parts: readonly [PartProblem, ...PartProblem[]]): Problem {
  return { problem: `${parts[0].path}: ${parts[0].problem}`, parts }
}

/** Returns the problems of a value that is the member `name` of another value, with extended paths. */
export function problemsAt(name: string, { problem, parts }: Problem): readonly PartProblem[] {
  if (parts === undefined) return [{ path: name, problem }]
  return parts.map((part) => ({ path: `${name}.${part.path}`, problem: part.problem }))
}

/** True if the value is derived from the row, by SQL or by a function, and therefore cannot be written. */
export function isDerived(type: FieldType): boolean {
  return type.expression !== undefined || type.compute !== undefined
}

/** True if records can be sorted by values of this type. */
export function isSortable({ operators }: FieldType): boolean {
  return operators === "text" || operators === "ordered" || operators === "choice" || operators === "id"
}
