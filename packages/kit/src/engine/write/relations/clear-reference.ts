import type { Resource, ResourceField } from "../../../schema/compile/resource.ts"
import { withoutReference } from "../../../schema/references/referenced-parts.ts"
import { selectStoredJson } from "../../../sql/references/referring-rows.ts"
import { updateAnyRow } from "../../../sql/write/write.ts"
import type { WriteContext } from "../../context/hook-context.ts"
import { writeFieldInCopy } from "../copies/stage-copies.ts"
import { hasChangeHooks, readWholeRow } from "../hooks.ts"
import { noStep, runWrite } from "../order.ts"
import { stampChange } from "../stamp.ts"
import { prepareValues, ROW_STEPS, type RowChange } from "../write-row.ts"
import { isReferenceVisible, refreshInNewestVersion, withoutAuditFields } from "./hidden-release.ts"
import { type ReferencedRecord, refusePartsOf } from "./part-targets.ts"
import type { Referrer, ReferringParts } from "./referrers.ts"

/** A record that stays, and refers to a record that is deleted. */
interface ClearedReference {
  readonly referrer: Referrer
  /** The id of the referring record. */
  readonly id: string
  /** The record that is deleted. */
  readonly removed: ReferencedRecord
}

/**
 * Clears the reference as an ordinary update of the referring record, with its hooks, because that record stays. No rule
 * is evaluated on it: the author has declared `onDelete` in the schema.
 */
export async function clearReference(ctx: WriteContext, cleared: ClearedReference): Promise<void> {
  if (!hasChangeHooks(cleared.referrer.resource)) return clearWithoutHooks(ctx, cleared)
  for (const emptied of await emptiedFields(ctx, cleared)) {
    await runWrite(emptied.ctx, {
      ...ROW_STEPS,
      lock: noStep,
      checkRevision: noStep,
      prepare: (inner) => prepareClearing(inner, emptied, cleared.removed),
      checkResult: noStep,
      readBack: noStep,
    })
  }
}

export async function clearWithoutHooks(ctx: WriteContext, cleared: ClearedReference): Promise<void> {
  for (const { resource, field, id, value } of await emptiedFields(ctx, cleared)) {
    const values = new Map<ResourceField, unknown>([[field, value]])
    const seen = (await isReferenceVisible(ctx, { resource, field, id })) ? resource : withoutAuditFields(resource)
    stampChange(ctx, seen, values)
    await ctx.connection.query(updateAnyRow(seen, { id, values }))
    if (seen !== resource) await refreshInNewestVersion(ctx, { resource, field, id })
  }
}

/** Clears the reference in the copy of a record in a stage. */
export async function clearReferenceInCopy(ctx: WriteContext, cleared: ClearedReference): Promise<void> {
  for (const { resource, field, id, value } of await emptiedFields(ctx, cleared)) {
    if (await isReferenceVisible(ctx, { resource, field, id })) {
      await writeFieldInCopy(ctx, resource, { id, field, value })
      continue
    }
    await writeFieldInCopy(ctx, withoutAuditFields(resource), { id, field, value })
    await refreshInNewestVersion(ctx, { resource, field, id })
  }
}

/** The value of a field without its reference to the deleted record. */
interface EmptiedField {
  readonly ctx: WriteContext
  readonly resource: Resource
  readonly field: ResourceField
  readonly id: string
  readonly value: unknown
}

// Returns the fields to write: one, or one for each locale in which parts of a localized field hold the id.
async function emptiedFields(
  ctx: WriteContext,
  { referrer, id, removed }: ClearedReference,
): Promise<readonly EmptiedField[]> {
  const { resource, field } = referrer
  if (referrer.parts === undefined) return [{ ctx, resource, field, id, value: null }]
  const { rows } = await ctx.connection.query(selectStoredJson({ resource, field, id }))
  const stored = rows[0]?.[0] ?? null
  if (!field.localized) return [{ ctx, resource, field, id, value: emptied(referrer, stored, removed.id) }]
  return Object.entries(stored as object).flatMap(([locale, own]: [string, unknown]) => {
    const value = emptied(referrer, own, removed.id)
    if (JSON.stringify(value) === JSON.stringify(field.type.fromJson?.(own))) return []
    const inLocale = inOwnLocale(field, locale)
    const fields = new Map(resource.fields).set(field.name, inLocale)
    return [{ ctx: { ...ctx, locale }, resource: { ...resource, fields }, field: inLocale, id, value }]
  })
}

function emptied({ field, parts }: ReferringParts, stored: unknown, target: string): unknown {
  const value = parts.reduce((rest, { steps }) => withoutReference(rest, steps, target), stored)
  return value === null ? null : (field.type.fromJson?.(value) ?? value)
}

function inOwnLocale(field: ResourceField, locale: string): ResourceField {
  return field.localized ? { ...field, localized: { ...field.localized, locale, chain: [locale] } } : field
}

async function prepareClearing(
  ctx: WriteContext,
  { resource, field, id, value }: EmptiedField,
  removed: ReferencedRecord,
): Promise<RowChange> {
  const change = { resource, operation: "update", data: {}, original: await readWholeRow(ctx, resource, id) } as const
  const { values, nested, completed } = await prepareValues(ctx, change, new Map([[field, value]]))
  // A hook may have put the reference back.
  refusePartsOf(values, removed)
  // If the hooks have changed other fields too, the caller sees the update anyway, so it need not be concealed.
  const isSeen = values.size > 1 || (await isReferenceVisible(ctx, { resource, field, id }))
  const seen = isSeen ? resource : withoutAuditFields(resource)
  stampChange(ctx, seen, values)
  return {
    resource,
    id,
    values,
    nested,
    completed,
    statement: () => updateAnyRow(seen, { id, values }),
    writeDerived: async (inner) => {
      if (!isSeen) await refreshInNewestVersion(inner, { resource, field, id })
    },
  }
}
