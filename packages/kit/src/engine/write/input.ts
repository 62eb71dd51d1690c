import { isDerived, isProblem, type PartCheck, problemsAt, type ValueSource } from "../../schema/compile/field-type.ts"
import {
  isRequiredInLocale,
  isWritable,
  type Resource,
  type ResourceField,
  toManyOf,
} from "../../schema/compile/resource.ts"
import { findProblem } from "../../schema/compile/validation.ts"
import { type MaybePromise, whenReady } from "../../schema/context/when-ready.ts"
import { ApiError, type FieldError } from "../../wire/errors/api-error.ts"
import { didYouMean } from "../../wire/errors/did-you-mean.ts"
import type { RecordData } from "../../wire/results/operations.ts"
import type { OperationContext } from "../context/operation-context.ts"
import { evaluateDefault, type FieldWithDefaultFunction, hasDefaultFunction } from "./defaults.ts"
import { withItemIds } from "./item-ids.ts"

// A response lists at most this many problems with the input. Parsing stops there, so that bad input costs little.
const MAX_PROBLEMS = 100

const NOT_AN_OBJECT: FieldError = { path: "", message: "Expected an object with the fields of the record." }

export type FieldInput = Map<ResourceField, unknown>

/** The error about the input of a record, with all problems that the record's input has. */
export class InputError extends ApiError {
  constructor(problems: readonly FieldError[]) {
    super("VALIDATION_ERROR", { fieldErrors: problems })
  }
}

/** The input of a write before it is parsed. */
interface UnparsedInput {
  readonly resource: Resource
  readonly data: unknown
  /** True if hooks have returned the data. Hooks may write every field. */
  readonly isFromHooks?: boolean
}

/** Parses the input of a create and adds default values. Throws one error with all problems. */
export function parseCreateInput(
  ctx: OperationContext,
  { resource, data, isFromHooks = false }: UnparsedInput,
): MaybePromise<FieldInput> {
  const parsed = parseFields(ctx, { resource, data, isFromHooks, isNew: true })
  return whenReady(evaluateDefaults(ctx, resource, parsed), (defaults) => {
    for (const field of expectedFields(resource)) addMissing(field, parsed, defaults)
    return accepted(parsed)
  })
}

/** Parses the input of an update. Throws one error with all problems. */
export function parseUpdateInput(
  ctx: OperationContext,
  { resource, data, isFromHooks = false }: UnparsedInput,
): MaybePromise<FieldInput> {
  return accepted(parseFields(ctx, { resource, data, isFromHooks, isNew: false }))
}

/** The values that the input of a write has so far, and the problems with them. */
interface ParsedFields {
  readonly ctx: OperationContext
  readonly values: FieldInput
  readonly problems: FieldError[]
}

type Defaults = ReadonlyMap<ResourceField, unknown>

const NO_DEFAULTS: Defaults = new Map()

// Calls the default functions of the fields that are missing in the input.
function evaluateDefaults(ctx: OperationContext, resource: Resource, parsed: ParsedFields): MaybePromise<Defaults> {
  const asked = expectedFields(resource).filter(hasDefaultFunction)
  const missing = asked.filter((field) => isMissing(field, parsed))
  return missing.length === 0 ? NO_DEFAULTS : callDefaults(ctx, resource, missing)
}

async function callDefaults(
  ctx: OperationContext,
  resource: Resource,
  fields: readonly FieldWithDefaultFunction[],
): Promise<Defaults> {
  const defaults = new Map<ResourceField, unknown>()
  for (const field of fields) defaults.set(field, await evaluateDefault(ctx, resource, field))
  return defaults
}

const expectedFieldsOf = new WeakMap<Resource, readonly ResourceField[]>()

// Returns the fields that the record gets a value for if the input has none, or that the input must have.
function expectedFields(resource: Resource): readonly ResourceField[] {
  const known = expectedFieldsOf.get(resource)
  if (known) return known
  const expected = [...resource.fields.values()].filter(
    (field) => !field.system && !isDerived(field.type) && (field.required || field.default !== undefined),
  )
  expectedFieldsOf.set(resource, expected)
  return expected
}

function addMissing(field: ResourceField, parsed: ParsedFields, defaults: Defaults): void {
  const { values, problems } = parsed
  if (field.required && values.get(field) === null) problems.push({ path: field.name, message: "Required." })
  if (!isMissing(field, parsed)) return
  const value = hasDefaultFunction(field) ? defaults.get(field) : field.default
  if (value !== undefined) parseField(field, { value }, parsed)
  else if (field.required) problems.push({ path: field.name, message: "Required." })
}

/** Returns the input of a write as access rules receive it: the object, or undefined if the input is not an object. */
export function inputForRules(data: unknown): RecordData | undefined {
  return isData(data) ? data : undefined
}

/**
 * Throws if the caller's input has fields that no caller may write. Runs before hooks add values, and after the field
 * rules were evaluated.
 */
export function checkInputFields(ctx: OperationContext, given: WriteInput): void {
  const { resource, data } = given
  if (!isData(data)) throw new InputError([NOT_AN_OBJECT])
  const problems: FieldError[] = []
  for (const [path, value] of Object.entries(data)) {
    if (problems.length >= MAX_PROBLEMS) break
    if (value === undefined) continue
    const field = resource.fields.get(path)
    const message = field ? writeProblem(ctx, given, field) : unknownField(resource, path)
    if (message !== undefined) problems.push({ path, message })
  }
  refuse(problems)
}

interface WriteInput extends UnparsedInput {
  /** True if the record does not exist yet. Only then may the input contain an id. */
  readonly isNew: boolean
}

function parseFields(ctx: OperationContext, given: WriteInput): ParsedFields {
  const { resource, data } = given
  if (!isData(data)) throw new InputError([NOT_AN_OBJECT])
  const parsed: ParsedFields = { ctx, values: new Map(), problems: [] }
  for (const name of Object.keys(data)) {
    const value = data[name]
    if (parsed.problems.length >= MAX_PROBLEMS) break
    if (value === undefined) continue
    const field = resource.fields.get(name)
    const refusal = field ? writeProblem(ctx, given, field) : unknownField(resource, name)
    if (refusal !== undefined) parsed.problems.push({ path: name, message: refusal })
    else if (field) parseField(field, { value, source: ctx.valueSource }, parsed)
  }
  return parsed
}

function isData(data: unknown): data is Readonly<Record<string, unknown>> {
  return typeof data === "object" && data !== null && !Array.isArray(data)
}

// Returns the error message for an unknown field. A hidden field gets the same message, and is never suggested.
function unknownField(resource: Resource, name: string): string {
  const writable = [...resource.fields.values()].filter(isWritable)
  const offered = writable.filter(isKnownToAll)
  return `There is no field "${name}".${didYouMean(
    name,
    offered.map((field) => field.name),
  )}`
}

// A field with a read rule is never suggested, because the rule is not evaluated here and may hide the field. So may the
// read rule of the records to which a relation to many leads.
function isKnownToAll(field: ResourceField): boolean {
  const related = toManyOf(field)?.target
  return (field.access.read ?? true) === true && (related === undefined || related.access.read === true)
}

function writeProblem(
  ctx: OperationContext,
  { resource, isNew, isFromHooks = false }: WriteInput,
  field: ResourceField,
): string | undefined {
  const isTrusted = ctx.isSystem || isFromHooks
  if (field.system) return "This field is kept by the server."
  if (field === resource.id && !isNew) return "The id of a record never changes."
  if (isDerived(field.type) && (isTrusted || !field.hidden)) return "This field is made by the server."
  if (isTrusted) return undefined
  if (field.hidden) return unknownField(resource, field.name)
  return field.readOnly ? "This field is read-only." : undefined
}

interface GivenValue {
  readonly value: unknown
  readonly source?: ValueSource | undefined
}

function parseField(
  field: ResourceField,
  { value, source }: GivenValue,
  { ctx, values, problems }: ParsedFields,
): void {
  if (value === null && field.isStored) {
    if (isRequiredInLocale(field)) problems.push({ path: field.name, message: "Required." })
    else values.set(field, null)
    return
  }
  const parsed = field.type.parse(value, source)
  if (isProblem(parsed))
    for (const { path, problem } of problemsAt(field.name, parsed)) problems.push({ path, message: problem })
  else if (parsed.value === null && isRequiredInLocale(field)) problems.push({ path: field.name, message: "Required." })
  else values.set(field, withItemIds(ctx, field.type, parsed.value))
}

// True if the input has neither a value for the field nor a problem with it.
function isMissing(field: ResourceField, { values, problems }: ParsedFields): boolean {
  return !values.has(field) && !problems.some(({ path }) => path === field.name || path.startsWith(`${field.name}.`))
}

// Runs the author's validations on the values, and returns the values. Throws if they have problems.
function accepted({ values, problems }: ParsedFields): MaybePromise<FieldInput> {
  const checks: PartCheck[] = []
  for (const [field, value] of values) if (value !== null) addChecks(field, value, checks)
  return whenReady(checks.length === 0 ? undefined : runChecks(checks, problems), () => {
    refuse(problems)
    return values
  })
}

async function runChecks(checks: readonly PartCheck[], problems: FieldError[]): Promise<void> {
  for (const { path, value, validation } of checks) {
    const message = await findProblem(validation, value)
    if (message !== undefined) problems.push({ path, message })
  }
}

function addChecks({ name, type, validations }: ResourceField, value: unknown, checks: PartCheck[]): void {
  for (const validation of validations) checks.push({ path: name, value, validation })
  for (const check of type.checkParts?.(value) ?? []) checks.push({ ...check, path: `${name}.${check.path}` })
}

function refuse(problems: readonly FieldError[]): void {
  if (problems.length > 0) throw new InputError(problems)
}
