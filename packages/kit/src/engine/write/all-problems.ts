import type { Resource } from "../../schema/compile/resource.ts"
import { ApiError, type FieldError } from "../../wire/errors/api-error.ts"
import { authorize } from "../access/authorize.ts"
import { evaluateInputFields } from "../access/field-rights.ts"
import { withErrorPath } from "../context/error-path.ts"
import { inOneLocale, resourceIn } from "../context/locale.ts"
import type { OperationContext } from "../context/operation-context.ts"
import { canonicalId } from "../read/by-id.ts"
import { TimeSlice } from "../read/time-slice.ts"
import { checkInputFields, InputError, inputForRules, parseCreateInput, parseUpdateInput } from "./input.ts"
import { type NestedInput, nestedInputsOf } from "./relations/nested-inputs.ts"

// The limits of the search for further problems: enough for a person to fix the input, and cheap for the server.
const MAX_PROBLEMS = 100
const MAX_NESTED_RECORDS = 100

/** The input of one of the records that a write changes. */
export interface RecordInput {
  readonly resource: Resource
  readonly data: unknown
  readonly isNew: boolean
  /** The position of the input in the request body, if the body has the inputs of several records. */
  readonly path?: string | undefined
}

/**
 * Runs a write of these inputs. A write stops at the first record whose input is invalid; the error that this function
 * then throws also has the problems of the other records, nested ones included, so that the caller can fix all of them
 * together. Only a request that fails pays for the search.
 */
export async function withAllProblems<Result>(
  ctx: OperationContext,
  inputs: readonly RecordInput[],
  write: () => Promise<Result>,
): Promise<Result> {
  try {
    return await write()
  } catch (error) {
    if (ctx.isNested || !isAboutInput(error)) throw error
    throw await withFurtherProblems(error, new ProblemSearch().run(ctx, inputs))
  }
}

// True if the error is about an input, at whatever depth of nested writes.
function isAboutInput(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false
  return error instanceof InputError || isAboutInput(error.cause)
}

async function withFurtherProblems(error: ApiError, search: Promise<readonly FieldError[]>): Promise<ApiError> {
  const known = error.fieldErrors ?? []
  const isNew = (problem: FieldError) => !known.some(({ path, message }) => isSame(problem, { path, message }))
  const further = (await search).filter(isNew)
  if (further.length === 0) return error
  return new ApiError(error.code, { fieldErrors: [...known, ...further], cause: error })
}

function isSame(one: FieldError, other: FieldError): boolean {
  return one.path === other.path && one.message === other.message
}

/** An input with its position in the request body, which is empty for the input of the only record. */
interface SearchedInput extends RecordInput, Pick<NestedInput, "filledField"> {
  readonly path: string
}

/** Searches the inputs of a write for problems, without writing anything. */
class ProblemSearch {
  readonly #problems: FieldError[] = []
  #nestedRecords = 0

  async run(ctx: OperationContext, inputs: readonly RecordInput[]): Promise<readonly FieldError[]> {
    const turn = new TimeSlice()
    for (const input of inputs) {
      if (turn.isOver) await turn.next()
      await this.#search(ctx, { ...input, path: input.path ?? "" })
    }
    return this.#problems
  }

  async #search(ctx: OperationContext, input: SearchedInput): Promise<void> {
    if (this.#problems.length >= MAX_PROBLEMS) return
    this.#problems.push(...(await problemsOf(ctx, input)))
    for (const nested of nestedInputsOf(ctx, input)) await this.#searchNested(ctx, input, nested)
  }

  async #searchNested(outer: OperationContext, { path }: SearchedInput, nested: NestedInput): Promise<void> {
    if (this.#nestedRecords >= MAX_NESTED_RECORDS) return
    this.#nestedRecords += 1
    const ctx = inOneLocale({ ...outer, isNested: true })
    const input = { ...nested, resource: resourceIn(ctx, nested.resource), path: joined(path, nested.path) }
    if (await mayWrite(ctx, input)) await this.#search(ctx, input)
  }
}

async function problemsOf(ctx: OperationContext, input: SearchedInput): Promise<readonly FieldError[]> {
  try {
    await withErrorPath(input.path === "" ? undefined : input.path, () => parse(ctx, input))
    return []
  } catch (error) {
    // An error of the author's code, such as a validation that throws, is reported once the write gets that far.
    if (!isAboutInput(error)) return []
    const filled = input.filledField && joined(input.path, input.filledField)
    return (error.fieldErrors ?? []).filter(({ path }) => path !== filled)
  }
}

async function parse(ctx: OperationContext, { resource, data, isNew }: RecordInput): Promise<void> {
  // A hook may replace every value, so only the fields that a caller may not write are known to be wrong.
  if (resource.hooks.beforeValidate.length > 0) checkInputFields(ctx, { resource, data, isNew })
  else if (isNew) await parseCreateInput(ctx, { resource, data })
  else await parseUpdateInput(ctx, { resource, data })
}

// True if the rules let the caller write the nested record. Otherwise its problems stay unknown, because they name the
// fields of a collection that may be hidden from the caller.
async function mayWrite(ctx: OperationContext, { resource, data, isNew, id }: NestedInput): Promise<boolean> {
  const addressed = id === undefined ? {} : { id: canonicalId(resource, id) }
  const facts = { operation: isNew ? "create" : "update", input: inputForRules(data), ...addressed } as const
  try {
    await authorize(ctx, resource, facts)
    await evaluateInputFields(ctx, resource, facts)
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

function joined(prefix: string, path: string): string {
  return prefix === "" ? path : `${prefix}.${path}`
}
