import type { Resource } from "../../../schema/compile/resource.ts"
import { type Access, onStageCopy } from "../../../sql/filter/predicate.ts"
import { typedParseContext } from "../../../sql/parse/parse-context.ts"
import { wholeSelection } from "../../../sql/parse/parse-selection.ts"
import { lockCopies } from "../../../sql/write/write-copy.ts"
import { ApiError } from "../../../wire/errors/api-error.ts"
import { authorize, type CallFacts, evaluateAccess } from "../../access/authorize.ts"
import type { FieldCondition } from "../../access/field-rights.ts"
import { evaluateStageCopies } from "../../access/stage.ts"
import { visibilityOf } from "../../access/visibility.ts"
import type { WriteContext } from "../../context/hook-context.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import { bothAllow, resolveWriteRights, type WriteRights } from "../rights.ts"
import { writableCopyIn } from "./stage-copies.ts"

/** The facts about a write to the copies of records in a stage. */
export interface CopyFacts extends CallFacts {
  /** The stage whose copies are written. It can be any stage except the initial stage. */
  readonly stage: string
}

/** The caller's rights in a write to the copies of records in a stage. */
export interface CopyRights {
  /** The resource through which the copies are written. */
  readonly copy: Resource
  /** The rights before the write. They are evaluated on the working copies. */
  readonly onWorking: WriteRights
  /** The rights after the write, and for the response. They are evaluated on the stage copies. */
  readonly onCopy: WriteRights
}

/**
 * Evaluates the rules of a write to stage copies. In addition to the right that the facts name, the caller needs the
 * right to transition records to the stage.
 */
export async function resolveCopyRights(
  ctx: OperationContext,
  resource: Resource,
  facts: CopyFacts,
): Promise<CopyRights> {
  return completeCopyRights(ctx, { resource, facts }, await resolveWriteRights(ctx, resource, facts))
}

/** Like `resolveCopyRights`, for a caller whose right that the facts name has already been resolved. */
export async function completeCopyRights(
  ctx: OperationContext,
  { resource, facts }: { readonly resource: Resource; readonly facts: CopyFacts },
  rights: WriteRights,
): Promise<CopyRights> {
  const onWorking = { ...rights, write: await withTransition(ctx, { resource, facts }, rights.write) }
  const copy = writableCopyIn(ctx, resource, facts.stage)
  return { copy, onWorking, onCopy: await rightsOnCopy(ctx, copy, { rights: onWorking, stage: facts.stage }) }
}

/** Restricts the right to write records to those that the caller may also transition to the stage. */
export async function withTransition(
  ctx: OperationContext,
  { resource, facts: { operation, id, stage } }: { readonly resource: Resource; readonly facts: CopyFacts },
  write: Access,
): Promise<Access> {
  if (operation === "transition") return write
  return bothAllow(write, await authorize(ctx, resource, { operation: "transition", id, stage }))
}

/**
 * Returns the rights for a write to the copies of records in a stage. They are used by the checks after the write and
 * for the response.
 */
export async function rightsOnCopy(
  ctx: OperationContext,
  copy: Resource,
  { rights, stage }: { readonly rights: WriteRights; readonly stage: string },
): Promise<WriteRights> {
  const { write } = rights
  const known = await evaluateAccess(ctx, copy, { operation: "read" })
  const read = bothAllow(known, await evaluateStageCopies(ctx, copy, stage))
  const visibility = await visibilityOf(ctx, copy, NOTHING_REACHED)
  return {
    ...rights,
    write: write.kind === "where" ? { ...write, predicate: onStageCopy(copy, write.predicate) } : write,
    fields: fieldsOnCopy(copy, rights.fields),
    read,
    selection: wholeSelection(copy, typedParseContext(visibility)),
  }
}

const NOTHING_REACHED: ReadonlySet<Resource> = new Set()

/** Returns the conditions of field rules as conditions on stage copies. */
export function fieldsOnCopy(copy: Resource, fields: readonly FieldCondition[]): readonly FieldCondition[] {
  return fields.map(({ field, predicate }) => ({ field, predicate: onStageCopy(copy, predicate) }))
}

/** The copies of records in a stage. */
interface StageCopiesOf {
  readonly copy: Resource
  readonly stage: string
  readonly ids: readonly string[]
}

/** Locks the stage copies of these locked records. Throws NOT_FOUND if one of the records is not in the stage. */
export async function requireCopies(ctx: WriteContext, { copy, stage, ids }: StageCopiesOf): Promise<void> {
  const { rows } = await ctx.connection.query(lockCopies(copy, ids))
  const found = new Set(rows.map(([id]) => id))
  const missing = ids.find((id) => !found.has(id))
  if (missing === undefined) return
  const message = `The record is not in the stage "${stage}". Move it there with a transition.`
  throw new ApiError("NOT_FOUND", { message, context: { collection: copy.name, id: missing } })
}
