import type { Session } from "../../ports/session-provider.ts"
import { GLOBAL_ROW_ID } from "../../schema/compile/resource.ts"
import type { DocumentPlace } from "../../sql/documents/document-place.ts"
import { nameVersionAuthors } from "../../sql/versions/write-versions.ts"
import { lockFirstWrite } from "../../sql/write/first-write.ts"
import { ApiError } from "../../wire/errors/api-error.ts"
import type { WriteContext } from "../context/hook-context.ts"
import { inLocale, resourceIn } from "../context/locale.ts"
import { updateRecord } from "../operations/writes/update.ts"
import { updateGlobal } from "../operations/writes/update-global.ts"
import { lockForWrite, resolveWriteRights } from "../write/rights.ts"

/** A value of a document, and those who have made it. */
interface DocumentValue {
  readonly value: unknown
  /** The ids of the users who have edited the document since its last value. */
  readonly authors: readonly string[]
}

/** Returns the context in which a document's value is written: in the last editor's name, without rules. */
export function valueContext(ctx: WriteContext, { locale }: DocumentPlace, session: Session | null): WriteContext {
  const system = { ...ctx, session, isSystem: true, valueSource: "stored" as const }
  return locale === "" ? system : { ...inLocale(system, { locale }), connection: ctx.connection }
}

/** Locks the record of a document until the transaction ends. Returns false if the record no longer exists. */
export async function lockDocumentRecord(ctx: WriteContext, place: DocumentPlace): Promise<boolean> {
  const { recordId: id } = place
  const resource = resourceIn(ctx, place.resource)
  const isGlobal = resource.kind === "global"
  // The row of a global may not exist yet, so that it cannot be locked.
  if (isGlobal) await ctx.connection.query(lockFirstWrite(resource))
  const rights = await resolveWriteRights(ctx, resource, { operation: "update", id, input: {} })
  try {
    await lockForWrite(ctx, { resource, id }, rights)
    return true
  } catch (error) {
    if (error instanceof ApiError && error.code === "NOT_FOUND") return isGlobal
    throw error
  }
}

/**
 * Writes the value of a document into its record, like an update by the last editor: with validation, hooks and a
 * version. The record is locked.
 */
export async function writeDocumentValue(
  ctx: WriteContext,
  place: DocumentPlace,
  { value, authors }: DocumentValue,
): Promise<void> {
  const resource = resourceIn(ctx, place.resource)
  const data = { [place.field.name]: value }
  const isGlobal = resource.kind === "global"
  const id = isGlobal ? GLOBAL_ROW_ID : place.recordId
  await (isGlobal ? updateGlobal(ctx, resource, { data }) : updateRecord(ctx, resource, { id, data }))
  if (resource.versions) await ctx.connection.query(nameVersionAuthors(resource, { id, authors }))
}
