import type { FieldReference, Resource, ResourceField } from "../../../schema/compile/resource.ts"
import { findReferencedParts } from "../../../schema/references/referenced-parts.ts"
import { referencedTable } from "../../../sql/references/referenced-table.ts"
import { type FieldOfRecord, selectReferenced } from "../../../sql/references/referring-rows.ts"
import type { FieldValues } from "../../../sql/write/write.ts"
import { ApiError } from "../../../wire/errors/api-error.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import { MISSING_TARGET } from "../../database/database-errors.ts"
import { recordKey } from "../../read/by-id.ts"
import { readableIds } from "./find-targets.ts"
import { isFieldShown } from "./link-visibility.ts"

/** A part of a written value that refers to a record that the caller may not read, or that does not exist. */
interface UnreadablePart {
  readonly field: ResourceField
  readonly reference: FieldReference
  /** The path of the part in the input, such as `body.2.image`. */
  readonly path: string
  readonly id: string
}

export type UnreadableParts = readonly UnreadablePart[]

/** True if a write sets a field whose parts may refer to records. */
export function mayReferByParts(values: FieldValues): boolean {
  for (const { references } of values.keys()) if (references.length > 0) return true
  return false
}

/**
 * Rejects parts that refer to records that the caller may not read, with the same error as for missing records. A part may
 * keep such an id: a list is written as a whole, and a caller who changes one item sends all others too.
 */
export async function checkPartTargets(
  ctx: OperationContext,
  values: FieldValues,
  record: { readonly resource: Resource; readonly id: string },
): Promise<void> {
  const unreadable = await findUnreadableParts(ctx, values)
  if (unreadable.length > 0) await refuseNewParts(ctx, unreadable, record)
}

/** Returns the parts that refer to records that the caller may not read. */
export async function findUnreadableParts(ctx: OperationContext, values: FieldValues): Promise<UnreadableParts> {
  if (!mayReferByParts(values)) return []
  const unreadable: UnreadableParts[] = []
  for (const [target, parts] of partsByTarget(values)) {
    const asked = parts.filter(({ id }) => recordKey(target, id) !== ctx.parentKey)
    const readable = await readableIds(ctx, target, [...new Set(asked.map(({ id }) => id))])
    unreadable.push(asked.filter((part) => !readable.has(part.id)))
  }
  return unreadable.flat()
}

/** A record to which parts may refer. */
export interface ReferencedRecord {
  readonly resource: Resource
  readonly id: string
}

/** Throws if a part of the values refers to this record. */
export function refusePartsOf(values: FieldValues, { resource, id }: ReferencedRecord): void {
  const key = recordKey(resource, id)
  for (const [target, parts] of partsByTarget(values))
    refuseParts(parts.filter((part) => recordKey(target, part.id) === key))
}

/** Throws if the record's field did not hold the ids of these parts before, as far as the caller may see it. */
export async function refuseNewParts(
  ctx: OperationContext,
  unreadable: UnreadableParts,
  { resource, id }: { readonly resource: Resource; readonly id: string },
): Promise<void> {
  const kept = new Set<string>()
  for (const field of new Set(unreadable.map((part) => part.field)))
    for (const key of await keptRecords(ctx, { resource, field, id })) kept.add(`${field.name} ${key}`)
  const keyOf = ({ field, reference, id: target }: UnreadablePart) =>
    `${field.name} ${recordKey({ table: referencedTable(resource, reference) }, target)}`
  refuseParts(unreadable.filter((part) => !kept.has(keyOf(part))))
}

function refuseParts(refused: UnreadableParts): void {
  if (refused.length === 0) return
  const fieldErrors = refused.slice(0, MAX_PROBLEMS).map(({ path }) => ({ path, message: MISSING_TARGET }))
  throw new ApiError("VALIDATION_ERROR", { fieldErrors })
}

// The number of parts that a response names. The others would be refused likewise.
const MAX_PROBLEMS = 100

// Returns the keys of the records to which the field refers, if the caller may read it.
async function keptRecords(ctx: OperationContext, stored: FieldOfRecord): Promise<readonly string[]> {
  const { rows } = await ctx.connection.query(selectReferenced(stored))
  if (rows.length === 0 || !(await isFieldShown(ctx, stored))) return []
  return rows.map(([table, id]) => recordKey({ table: String(table) }, String(id)))
}

function partsByTarget(values: FieldValues): ReadonlyMap<Resource, readonly UnreadablePart[]> {
  const byTarget = new Map<Resource, UnreadablePart[]>()
  for (const part of [...values].flatMap(([field, value]) => partsOf(field, value))) {
    const parts = byTarget.get(part.reference.target)
    if (parts) parts.push(part)
    else byTarget.set(part.reference.target, [part])
  }
  return byTarget
}

function partsOf(field: ResourceField, value: unknown): readonly UnreadablePart[] {
  return field.references.flatMap((reference) =>
    findReferencedParts(value, reference.steps).map(({ path, id }) => ({
      field,
      reference,
      path: `${field.name}.${path}`,
      id,
    })),
  )
}
