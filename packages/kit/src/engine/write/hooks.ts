import type { BeforeChangeContext, DeleteContext, HookRow } from "../../schema/builders/hooks.ts"
import { isProblem } from "../../schema/compile/field-type.ts"
import { isRequiredInLocale, type Resource } from "../../schema/compile/resource.ts"
import { EVERYTHING, type Predicate } from "../../sql/filter/predicate.ts"
import { typedParseContext } from "../../sql/parse/parse-context.ts"
import { wholeSelection } from "../../sql/parse/parse-selection.ts"
import { selectMatching } from "../../sql/read/select.ts"
import { ApiError, type FieldError } from "../../wire/errors/api-error.ts"
import { returnedRecord, type WriteContext, writeHookContext } from "../context/hook-context.ts"
import { byId } from "../read/by-id.ts"
import { toRecord, toRecords } from "../read/records.ts"
import { checkInputFields, type FieldInput, parseCreateInput, parseUpdateInput } from "./input.ts"
import { withItemIds } from "./item-ids.ts"

/** A change to a record, with the arguments for its hooks. */
export interface HookedChange {
  readonly resource: Resource
  readonly operation: BeforeChangeContext["operation"]
  readonly data: unknown
  readonly original: HookRow | null
  /** The stage whose copy of the record is changed. Undefined if the record itself is changed. */
  readonly stage?: string | undefined
}

/** True if a write to the resource runs hooks. Such a write is never a single statement. */
export function hasWriteHooks(resource: Resource): boolean {
  return hasChangeHooks(resource) || hasDeleteHooks(resource) || resource.hooks.afterRead.length > 0
}

export function hasChangeHooks({ hooks }: Resource): boolean {
  return hooks.beforeValidate.length + hooks.beforeChange.length + hooks.afterChange.length > 0
}

export function hasDeleteHooks({ hooks }: Resource): boolean {
  return hooks.beforeDelete.length + hooks.afterDelete.length > 0
}

/**
 * Checks the caller's input for a change, runs the hooks `beforeValidate` and `beforeChange` on it, and returns the
 * values to write.
 */
export async function parseHookedInput(ctx: WriteContext, change: HookedChange): Promise<FieldInput> {
  return runBeforeChange(ctx, change, await parseWithBeforeValidate(ctx, change))
}

async function parseWithBeforeValidate(ctx: WriteContext, change: HookedChange): Promise<FieldInput> {
  const { resource, data } = change
  const isNew = change.original === null
  const parse = isNew ? parseCreateInput : parseUpdateInput
  if (resource.hooks.beforeValidate.length === 0) return await parse(ctx, { resource, data })
  checkInputFields(ctx, { resource, data, isNew })
  // The cast is safe: `checkInputFields` has thrown unless `data` is an object.
  const given = await runDataHooks(ctx, "beforeValidate", { ...change, data: data as HookRow })
  return await parse(ctx, { resource, data: given, isFromHooks: true })
}

/** Runs `beforeChange` on values that have been checked. Checks a value again if a hook has changed it. */
export async function runBeforeChange(
  ctx: WriteContext,
  change: HookedChange,
  values: FieldInput,
): Promise<FieldInput> {
  const { resource } = change
  if (resource.hooks.beforeChange.length === 0) return values
  const data = await runDataHooks(ctx, "beforeChange", { ...change, data: namedValues(values) })
  const problems: FieldError[] = []
  const changed: FieldInput = new Map()
  for (const [path, value] of Object.entries(data)) {
    const field = resource.fields.get(path)
    const isFixed = field?.system || (field === resource.id && change.original !== null)
    if (field === undefined || isFixed) throw new Error(hookGave(resource, path))
    if (value === undefined) continue
    const isKept = (value === null && field.isStored) || values.get(field) === value
    const parsed = isKept ? { value } : field.type.parse(value, ctx.valueSource)
    const isMissing = value === null && (change.original === null ? field.required : isRequiredInLocale(field))
    if (isProblem(parsed) || isMissing)
      problems.push({ path, message: isProblem(parsed) ? parsed.problem : "Required." })
    else changed.set(field, isKept ? value : withItemIds(ctx, field.type, parsed.value))
  }
  if (problems.length > 0) throw new ApiError("VALIDATION_ERROR", { fieldErrors: problems })
  return changed
}

function hookGave(resource: Resource, name: string): string {
  return `A beforeChange hook of "${resource.name}" returned "${name}", which is not a writable field.`
}

async function runDataHooks(
  ctx: WriteContext,
  name: "beforeValidate" | "beforeChange",
  { resource, operation, original, stage, data: given }: HookedChange & { readonly data: HookRow },
): Promise<Record<string, unknown>> {
  let data = { ...given }
  for (const hook of resource.hooks[name]) {
    // The cast is safe: `beforeValidate` and `beforeChange` hooks get the same members. Only the types of the members
    // differ, because the data has been checked before `beforeChange` runs.
    const context = writeHookContext(ctx, resource, { operation, data, original, stage }) as BeforeChangeContext
    data = { ...(returnedRecord(await hook(context)) ?? data) }
  }
  return data
}

/** Returns an object with the values by field name. */
export function namedValues(values: FieldInput): Record<string, unknown> {
  return Object.fromEntries([...values].map(([field, value]) => [field.name, value]))
}

/** A change that has been written, with the data that was written. */
export interface CompletedChange extends HookedChange {
  readonly data: HookRow
}

export async function runAfterChange(ctx: WriteContext, change: CompletedChange, id: string): Promise<void> {
  const { resource, operation, data, original, stage } = change
  if (resource.hooks.afterChange.length === 0) return
  const row = await readWholeRow(ctx, resource, id)
  for (const hook of resource.hooks.afterChange) {
    await hook(writeHookContext(ctx, resource, { operation, data, original, row, stage }))
  }
}

export async function runDeleteHooks(
  ctx: WriteContext,
  { resource, moment }: { resource: Resource; moment: "beforeDelete" | "afterDelete" },
  facts: Pick<DeleteContext, "operation" | "original" | "stage">,
): Promise<void> {
  for (const hook of resource.hooks[moment]) await hook(writeHookContext(ctx, resource, facts))
}

/** Reads a row with all its fields, for the hooks of a write. */
export async function readWholeRow(ctx: WriteContext, resource: Resource, id: string): Promise<HookRow> {
  const selection = wholeSelection(resource, typedParseContext(EVERYTHING))
  const { rows } = await ctx.connection.query(selectMatching(selection, byId(resource, id)))
  return toRecord(selection, rows[0] ?? [])
}

/** Like `readWholeRow`, for all rows that match the predicate. Returns them by id. */
export async function readWholeRows(
  ctx: WriteContext,
  resource: Resource,
  predicate: Predicate,
): Promise<ReadonlyMap<string, HookRow>> {
  const selection = wholeSelection(resource, typedParseContext(EVERYTHING))
  const { rows } = await ctx.connection.query(selectMatching(selection, predicate))
  const records = await toRecords(selection, rows)
  return new Map(records.map((row) => [String(row["id"]), row]))
}
