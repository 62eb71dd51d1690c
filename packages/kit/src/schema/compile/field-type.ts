import type { FieldLimits, NumberType } from "../../wire/results/introspection.ts"
import type { JsonSchema } from "../../wire/results/json-schema.ts"
import type { RichTextVocabulary } from "../../wire/results/rich-text.ts"
import type { BlockPresentation, ChoicePresentation, FieldPresentation } from "../presentation/presentation.ts"
import type { Validation } from "./validation.ts"

/** The name of a set of filter operators. Each field type has one set. The operator table has a row for each set. */
export type OperatorFamily = "text" | "ordered" | "choice" | "json" | "id" | "list" | "jsonList" | "blocks" | "none"

/** The result of parsing a value: the valid value, or a sentence that says why the value is not valid. */
export type Parsed = { readonly value: unknown } | Problem

/**
 * Where a value comes from: a caller has sent it, or it is stored in a version or in a shared document. The names of a
 * stored rich text are kept, even if its field's vocabulary has lost them since.
 */
export type ValueSource = "sent" | "stored"

export interface Problem {
  readonly problem: string
  /** The problems by path, for a value that consists of parts, such as an object or a list. */
  readonly parts?: readonly PartProblem[]
}

export interface PartProblem {
  /** The path of the part within the whole value, such as "street" or "0.sku". */
  readonly path: string
  readonly problem: string
}

/** A check that the author has added by `.validate(…)` to a part of a value, with the part's path and value. */
export interface PartCheck {
  readonly path: string
  readonly value: unknown
  readonly validation: Validation
}

/** The SQL expression of a virtual field, split into text and column references. */
export type SqlExpression = readonly ({ readonly text: string } | SqlColumn)[]

interface SqlColumn {
  readonly column: string
  /** Set if the column holds a map of values by locale. The expression then uses the value in the current locale. */
  readonly localized?: { readonly chain: readonly string[]; readonly sqlType: string }
}

/** The TypeScript types of a field's values in generated code. */
interface TypescriptNames {
  readonly output: string
  readonly input: string
}

/** The JSON Schemas of a field's values in plain JSON. References in them lead to `withDefinitions`. */
interface JsonSchemas {
  /** The values that `parse` accepts. */
  readonly input: JsonSchema
  /** The values in an answer. A field without a value is null, which this schema need not allow. */
  readonly output: JsonSchema
}

/** A member of an object field or of a block. */
export interface FieldMember {
  readonly name: string
  readonly type: FieldType
  /** True if the member is never null. */
  readonly required: boolean
  /** True if an input may leave the member out. */
  readonly isOptional: boolean
  readonly presentation: FieldPresentation
}

/** One of the blocks of which the items of a blocks field are. */
export interface BlockType {
  readonly name: string
  readonly members: readonly FieldMember[]
  readonly presentation: BlockPresentation
}

/** A step from a value that is stored as JSON to one of its parts: to a member, or to each item of a list. */
export type PartStep =
  | { readonly kind: "member"; readonly name: string }
  /** With `block`, only the items of that block. */
  | { readonly kind: "items"; readonly block: string | undefined }

/** A part of a value that is the id of another collection's record, such as the picture of a block. */
export interface PartReference {
  /** The steps from the value to the part. */
  readonly steps: readonly PartStep[]
  readonly target: string
  /** True for `f.upload(…)`. The target must then be a collection of files. */
  readonly isUpload: boolean
  readonly onDelete: PartOnDelete
}

/** The effect of deleting a record on the parts that refer to it. */
type PartOnDelete = "restrict" | "setNull"

/** Returns the type of the ids of a collection's records. */
export type IdTypeOf = (collection: string) => FieldType

/** Everything that the rest of the framework needs to know about a field's values. It is compiled once per field. */
export interface FieldType {
  readonly name: string
  readonly sqlType: string
  readonly operators: OperatorFamily
  readonly typescript: TypescriptNames
  readonly jsonSchema: JsonSchemas
  readonly limits: FieldLimits
  /** The kind of numbers, if the field is a number. */
  readonly numberType?: NumberType
  /** The value's type tag in the extended JSON format. Set only for types that plain JSON cannot hold. */
  readonly extended?: ExtendedTag
  /** The type tags of the value's parts in extended JSON, by path. `*` stands for every element of a list. */
  readonly extendedParts?: Readonly<Record<string, ExtendedTag>>
  /**
   * True if the value has parts that plain JSON cannot hold at paths that differ from value to value. `extendedParts`
   * lacks them.
   */
  readonly hasUnlistedParts?: boolean
  /** The type of the elements, if the field's value is a list. */
  readonly element?: FieldType
  /** The author's words about the elements, if the field's value is a list. */
  readonly elementPresentation?: FieldPresentation
  /** The members of an object, in the order of their declaration. */
  readonly members?: readonly FieldMember[]
  /** The blocks of which the items of the list are, by name, if the field is a list of blocks. */
  readonly blocks?: ReadonlyMap<string, BlockType>
  /** The parts of the value that are ids of other records. Absent if there are none. */
  readonly references?: readonly PartReference[]
  /** The values that a select field can have or, if it is a select of several, that its elements can have. */
  readonly options?: readonly string[]
  /** The labels and colours of the options, by option. An option without an entry has only its name. */
  readonly optionPresentations?: ReadonlyMap<string, ChoicePresentation>
  /** The values that replace options that the field no longer has. Null empties the field. */
  readonly replacedOptions?: Readonly<Record<string, string | null>>
  /** The SQL expression from which the value is read, if the field is virtual. */
  readonly expression?: SqlExpression
  /** The names that rich texts may have, if the field is one. */
  readonly vocabulary?: RichTextVocabulary
  /** Validates and normalises a value before it is stored. By default, a caller has sent the value. */
  parse(value: unknown, source?: ValueSource | undefined): Parsed
  /** Checks the type of a value in a filter. Rules such as a maximum length do not apply there. */
  parseOperand(value: unknown): Parsed
  /** Parses a filter value from the text in a query string. */
  parseText(text: string): Parsed
  /** Converts a parsed value for the database driver. Absent if the driver takes the parsed value as it is. */
  toSql?(value: unknown): unknown
  /** Converts stored JSON (never null) into the field's value. Absent if the stored JSON is the value. */
  fromJson?(json: unknown): unknown
  /**
   * Converts a value that the driver read from a column with a wider type than the field's. A newer version of the app
   * may have widened the column while this process still runs. Absent if the driver returns the same values for both
   * types.
   */
  fromWider?(value: unknown): unknown
  /** Returns a parsed value in which every item of a list of blocks has an id. Absent if the value has no blocks. */
  withIds?(value: unknown, newId: () => string): unknown
  /** Returns the author's checks of list items and object members, each with the item or member of `value` to check. */
  checkParts?(value: unknown): readonly PartCheck[]
  /** Computes the value of a computed field. `row` holds the fields that are visible to the caller. */
  compute?(row: Readonly<Record<string, unknown>>): unknown
}

type ExtendedTag = "Date" | "BigInt"

export function isProblem(parsed: Parsed): parsed is Problem {
  return "problem" in parsed
}

/**
 * Combines the problems of a value's parts into one problem. Its message is the path and the problem of the first part.
 */
export function combinePartProblems(parts: readonly [PartProblem, ...PartProblem[]]): Problem {
  return { problem: `${parts[0].path}: ${parts[0].problem}`, parts }
}

/** Returns the problems of the member `name` of an outer value. Their paths begin at the outer value. */
export function problemsAt(name: string, { problem, parts }: Problem): readonly PartProblem[] {
  if (parts === undefined) return [{ path: name, problem }]
  return parts.map((part) => ({ path: `${name}.${part.path}`, problem: part.problem }))
}

/** The limits of a field whose values have none. */
export const NO_LIMITS: FieldLimits = Object.freeze({})

/** The JSON Schemas of values that are the same in the input and in an answer. */
export function sameJsonSchemas(schema: JsonSchema): JsonSchemas {
  const frozen = Object.freeze(schema)
  return Object.freeze({ input: frozen, output: frozen })
}

/** True if the field's value is derived from the row, by SQL or by a function, and therefore cannot be written. */
export function isDerived(type: FieldType): boolean {
  return type.expression !== undefined || type.compute !== undefined
}

/** True if the values of the type have an order. */
export function isOrdered({ operators }: FieldType): boolean {
  return operators === "text" || operators === "ordered" || operators === "choice" || operators === "id"
}
