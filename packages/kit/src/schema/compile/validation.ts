/** The part of the Standard Schema interface that kit needs to validate with any library that implements it. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1
    readonly vendor: string
    validate(value: unknown): StandardResult | Promise<StandardResult>
    /** Exists only at compile time: the input and output types of the schema. */
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
  }
}

/**
 * Any schema, as far as the compiler checks it. Comparing whole schema types is slow, so `isSchema` checks the rest at
 * startup.
 */
export interface AnySchema {
  readonly "~standard": unknown
}

/** The type of the input that a schema accepts. */
export type SchemaInput<Schema extends AnySchema> = Schema extends ZodTypes
  ? Schema["_zod"]["input"]
  : Schema extends StandardSchema<unknown, unknown>
    ? NonNullable<Schema["~standard"]["types"]>["input"]
    : unknown

/** The type of the output that a schema returns. */
export type SchemaOutput<Schema extends AnySchema> = Schema extends ZodTypes
  ? Schema["_zod"]["output"]
  : Schema extends StandardSchema<unknown, unknown>
    ? NonNullable<Schema["~standard"]["types"]>["output"]
    : unknown

// The input and output types of a Zod schema. Most schemas are Zod schemas, and reading the types from `_zod` is only a
// third of the work for the compiler.
interface ZodTypes {
  readonly _zod: { readonly input: unknown; readonly output: unknown }
}

type StandardResult =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string; readonly path?: readonly unknown[] | undefined }[] }

type ValidationResult = true | string

export type Validation<Value = unknown> =
  | StandardSchema
  | ((value: Value) => ValidationResult | Promise<ValidationResult>)

export function isValidation(value: unknown): value is Validation {
  return typeof value === "function" || isSchema(value)
}

// True if the value is a schema, which has the property `~standard`. It need not be an object: some libraries' schemas
// are functions.
export function isSchema(value: unknown): value is StandardSchema {
  const standard = (value as Partial<StandardSchema> | null | undefined)?.["~standard"]
  return typeof standard?.validate === "function"
}

/** Returns a sentence that says why the value is not valid, or undefined if it is valid. */
export async function findProblem(validation: Validation, value: unknown): Promise<string | undefined> {
  if (isSchema(validation)) return problemOfSchemaResult(await validation["~standard"].validate(value))
  return problemOfReturnValue(await validation(value))
}

const NOT_VALID = "Is not valid."

function problemOfReturnValue(verdict: unknown): string | undefined {
  if (verdict === true) return undefined
  return typeof verdict === "string" ? verdict : NOT_VALID
}

function problemOfSchemaResult(result: StandardResult): string | undefined {
  if (result.issues === undefined) return undefined
  return result.issues.map((issue) => issue.message).join(" ") || NOT_VALID
}
