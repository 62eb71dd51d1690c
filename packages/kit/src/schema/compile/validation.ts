/** The part of the Standard Schema interface that is needed to validate with any library that follows it. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1
    readonly vendor: string
    validate(value: unknown): StandardResult | Promise<StandardResult>
    /** Types only: what is given and what comes out. */
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
  }
}

/** What the compiler asks of a schema: to compare the rest as well costs it a lot, and `isSchema` does that at the start. */
export interface AnySchema {
  readonly "~standard": unknown
}

/** What a schema takes. */
export type SchemaInput<Schema extends AnySchema> = Schema extends ZodTypes
  ? Schema["_zod"]["input"]
  : Schema extends StandardSchema<unknown, unknown>
    ? NonNullable<Schema["~standard"]["types"]>["input"]
    : unknown

/** What a schema makes of it. */
export type SchemaOutput<Schema extends AnySchema> = Schema extends ZodTypes
  ? Schema["_zod"]["output"]
  : Schema extends StandardSchema<unknown, unknown>
    ? NonNullable<Schema["~standard"]["types"]>["output"]
    : unknown

// Most schemas are of Zod, which says the same in a place where a compiler finds it with a third of the work.
interface ZodTypes {
  readonly _zod: { readonly input: unknown; readonly output: unknown }
}

export type StandardResult =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string; readonly path?: readonly unknown[] | undefined }[] }

type Verdict = true | string

export type Validation<Value = unknown> = StandardSchema | ((value: Value) => Verdict | Promise<Verdict>)

export function isValidation(value: unknown): value is Validation {
  return typeof value === "function" || isSchema(value)
}

// Some libraries make schemas that are functions: only the marker tells, so it is looked for in whatever was given.
export function isSchema(value: unknown): value is StandardSchema {
  const standard = (value as Partial<StandardSchema> | null | undefined)?.["~standard"]
  return typeof standard?.validate === "function"
}

/** The sentence that says why a value does not pass, or undefined when it does. */
export function findProblem(validation: Validation, value: unknown): string | undefined | Promise<string | undefined> {
  if (isSchema(validation)) return settle(validation["~standard"].validate(value), problemOfResult)
  return settle(validation(value), problemOfVerdict)
}

const NOT_VALID = "Is not valid."

function settle<From, To>(given: From | Promise<From>, then: (value: From) => To): To | Promise<To> {
  return given instanceof Promise ? given.then(then) : then(given)
}

function problemOfVerdict(verdict: unknown): string | undefined {
  if (verdict === true) return undefined
  return typeof verdict === "string" ? verdict : NOT_VALID
}

function problemOfResult(result: StandardResult): string | undefined {
  if (result.issues === undefined) return undefined
  return result.issues.map((issue) => issue.message).join(" ") || NOT_VALID
}
