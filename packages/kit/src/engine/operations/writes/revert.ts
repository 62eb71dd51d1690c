import { isDeepStrictEqual } from "node:util"
import { isDerived } from "../../../schema/compile/field-type.ts"
import {
  GLOBAL_ROW_ID,
  isOrderedRelation,
  type ManyToMany,
  type Resource,
  type ResourceField,
} from "../../../schema/compile/resource.ts"
import { both, predicateOf } from "../../../sql/filter/predicate.ts"
import { compareVersion, selectVersion, type VersionChoice } from "../../../sql/versions/read-versions.ts"
import { linkedFields } from "../../../sql/versions/write-versions.ts"
import { selectLinksInOrder } from "../../../sql/write/link-positions.ts"
import { selectRelatedIds } from "../../../sql/write/links.ts"
import type { RowRules } from "../../../sql/write/ruled-statement.ts"
import { revertCopy, revertRow } from "../../../sql/write/write-revert.ts"
import { ApiError, invalid } from "../../../wire/errors/api-error.ts"
import type { RecordData } from "../../../wire/results/operations.ts"
import { authorize, type CallFacts } from "../../access/authorize.ts"
import { draftRows, writtenStage } from "../../access/stage.ts"
import type { WriteContext } from "../../context/hook-context.ts"
import { resourceIn } from "../../context/locale.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import type { Members } from "../../context/read-members.ts"
import type { Answer } from "../../read/answer.ts"
import { byId, canonicalId, checkGlobalId, requireId } from "../../read/by-id.ts"
import { toRecord } from "../../read/records.ts"
import type { ExpectedRevision } from "../../read/revision.ts"
import { requireCopies, resolveCopyRights } from "../../write/copies/copy-rights.ts"
import { hasChangeHooks, namedValues, readWholeRow } from "../../write/hooks.ts"
import { type FieldInput, parseUpdateInput } from "../../write/input.ts"
import { writeInTransaction } from "../../write/order.ts"
import { readableIds } from "../../write/relations/find-targets.ts"
import { lockForWrite, resolveWriteRights, type WriteRights } from "../../write/rights.ts"
import { stampChange, userOf } from "../../write/stamp.ts"
import { withRetries } from "../../write/with-retries.ts"
import { recordSteps } from "../../write/write-record.ts"
import { prepareValues, type RowChange } from "../../write/write-row.ts"
import { requireVersions, visibleFieldsIn } from "../reads/find-versions.ts"

interface RevertInput {
  readonly id: unknown
  /**
   * Either `{ version }` with the number of a version, or `{ versionId }` with the id of a version. Its members have been
   * checked by name, but not their values.
   */
  readonly input: Members
  readonly expected?: ExpectedRevision | undefined
  /** The workflow stage whose copy of the record gets the values. Default: the working copy gets them. */
  readonly stage?: unknown
}

/**
 * Restores the values that a record had in a version. Like any update, a revert needs the update rule and adds a
 * version. With a stage, the copy of the record in that stage gets the values, and not the working copy.
 */
export function revertRecord(
  ctx: OperationContext,
  resource: Resource,
  revert: RevertInput,
): Promise<Answer<RecordData>> {
  return withRetries(ctx, (attempt) => revertOnce(attempt, resource, revert))
}

async function revertOnce(
  ctx: OperationContext,
  resource: Resource,
  { id: asked, input, expected, stage: named }: RevertInput,
): Promise<Answer<RecordData>> {
  requireVersions(resource)
  const stage = writtenStage(resource, named)
  const choice = readChoice(input)
  const idForRules = canonicalId(resource, asked)
  const versions = await authorize(ctx, resource, { operation: "versions", id: idForRules })
  const drafts = await draftRows(ctx, { resource })
  const facts = { operation: "update", id: idForRules, stage } as const
  const { written, onWorking, onWritten } = await resolveRights(ctx, resource, facts)
  const seen = { ...onWorking, rows: [onWorking.rows, predicateOf(versions), drafts].reduce(both) }
  const id = requireId(resource, asked)
  const steps = recordSteps({
    rights: onWritten,
    lock: async (inner) => {
      await lockForWrite(inner, { resource, id }, seen)
      if (stage !== undefined) await requireCopies(inner, { copy: written, stage, ids: [id] })
    },
    revision: { resource: written, id, expected },
    prepare: async (inner) => {
      const version = await readVersion(inner, written, { id, choice })
      // Only the version shows which fields change, so the rules of these fields are evaluated now.
      const rights = await resolveRights(inner, resource, { ...facts, input: version.data })
      await lockForWrite(inner, { resource, id }, rights.onWorking)
      const change = await prepareRevert(inner, { resource: written, stage, id, version })
      return { ...change, rights: rights.onWritten }
    },
  })
  return await writeInTransaction(ctx, steps)
}

/** The resource whose row a revert writes, and the caller's rights. */
interface RevertRights {
  readonly written: Resource
  /** The rights before the revert, evaluated on the working copy. */
  readonly onWorking: WriteRights
  /** The rights after the revert, evaluated on the written row. */
  readonly onWritten: WriteRights
}

async function resolveRights(ctx: OperationContext, resource: Resource, facts: CallFacts): Promise<RevertRights> {
  const { stage } = facts
  if (stage === undefined) {
    const rights = await resolveWriteRights(ctx, resource, facts)
    return { written: resource, onWorking: rights, onWritten: rights }
  }
  const { copy, onWorking, onCopy } = await resolveCopyRights(ctx, resource, { ...facts, stage })
  return { written: copy, onWorking, onWritten: onCopy }
}

/** Like `revertRecord`, but for the single row of a global. The input may also have the id of that row. */
export async function revertGlobal(
  ctx: OperationContext,
  resource: Resource,
  revert: Omit<RevertInput, "id">,
): Promise<Answer<RecordData>> {
  checkGlobalId(resource, revert.input["id"])
  return await revertRecord(ctx, resource, { ...revert, id: GLOBAL_ROW_ID })
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const MAX_NUMBER = 2_147_483_647

/** The members of a revert's input. */
export const REVERT_MEMBERS = ["version", "versionId"] as const

/** Parses the caller's choice of a version. The input must have exactly one of `version` and `versionId`. */
function readChoice({ version, versionId }: Members): VersionChoice {
  if ((version === undefined) === (versionId === undefined))
    throw invalid("version", "Say which version: give either version, its number, or versionId.")
  if (version === undefined) {
    if (typeof versionId === "string" && UUID.test(versionId)) return { versionId }
    throw invalid("versionId", "Expected the id of a version.")
  }
  const isNumber = typeof version === "number" && Number.isInteger(version) && version >= 1 && version <= MAX_NUMBER
  if (!isNumber) throw invalid("version", "Expected the number of a version: a whole number from 1.")
  return { number: version }
}

/** The version to restore, with the fields in which the version differs from the current record. */
interface ChosenVersion {
  readonly id: string
  /**
   * The version's values by field name, in the caller's locale. Only fields whose value differs from the current record
   * are included.
   */
  readonly data: RecordData
}

async function readVersion(
  ctx: WriteContext,
  resource: Resource,
  { id, choice }: { readonly id: string; readonly choice: VersionChoice },
): Promise<ChosenVersion> {
  const reverted = await revertedFields(ctx, { resource, id })
  const fields = resource.columns.filter(({ name }) => reverted.has(name))
  const { rows } = await ctx.connection.query(compareVersion(resource, fields, { id, choice }))
  const [versionId, ...compared] = rows[0] ?? []
  if (typeof versionId !== "string") throw new ApiError("NOT_FOUND", { message: "The record has no such version." })
  const changed = fields.filter((_field, index) => compared[index] === true)
  const then = linkedFields(resource).map(({ name, relation }, index) => {
    return { name, relation, ids: reverted.has(name) ? compared[fields.length + index] : undefined }
  })
  const links = await changedLinks(ctx, id, then)
  return {
    id: versionId,
    data: { ...(await valuesInVersion(ctx, { resource, fields: changed }, versionId)), ...links },
  }
}

// Returns the names of the fields that a revert may change. Only fields that are visible to the caller are included,
// because an error about a hidden field would leak that its value has changed.
async function revertedFields(
  ctx: WriteContext,
  { resource, id }: { readonly resource: Resource; readonly id: string },
): Promise<ReadonlySet<string>> {
  const reached = new Set(linkedFields(resource).map(({ relation }) => relation.target))
  const shown = await visibleFieldsIn(ctx, resource, { predicate: byId(resource, id), reached })
  const fields = [...(shown?.values() ?? [])].filter((field) => isReverted(ctx, resource, field))
  return new Set(fields.map(({ name }) => name))
}

// True if a revert may change the field. Fields that the server maintains keep their values. Hidden and read-only
// fields are reverted only for system code, because they may hold rights that the caller has lost since.
function isReverted({ isSystem }: WriteContext, { id }: Resource, field: ResourceField): boolean {
  if (field.system || field === id || isDerived(field.type)) return false
  return isSystem || !(field.hidden || field.readOnly)
}

async function valuesInVersion(
  ctx: WriteContext,
  { resource, fields }: { readonly resource: Resource; readonly fields: readonly ResourceField[] },
  versionId: string,
): Promise<RecordData> {
  if (fields.length === 0) return {}
  const shown = resourceIn({ schema: ctx.schema.inLocale({ locale: ctx.locale, hasFallback: true }) }, resource)
  const names = new Set(fields.map(({ name }) => name))
  const selection = { resource: shown, fields: shown.columns.filter(({ name }) => names.has(name)), relations: [] }
  const { rows } = await ctx.connection.query(selectVersion(selection, versionId))
  return toRecord(selection, rows[0] ?? [])
}

interface VersionLinks {
  readonly name: string
  readonly relation: ManyToMany
  /**
   * The ids that the version links to, as an array. Any other value means that the version has no such array, or that
   * the caller may not revert the field.
   */
  readonly ids: unknown
}

// Returns the links that a revert changes. Records that do not exist any more are not linked again. Links to records
// that are hidden from the caller stay unchanged: an error about them, or the need for another right, would leak that
// they exist.
async function changedLinks(ctx: WriteContext, id: string, then: readonly VersionLinks[]): Promise<RecordData> {
  const links: Record<string, unknown> = {}
  for (const { name, relation, ids } of then) {
    if (!Array.isArray(ids)) continue
    const isOrdered = isOrderedRelation(relation)
    const linked = isOrdered ? selectLinksInOrder(relation, id) : selectRelatedIds(relation, id)
    const now = (await ctx.connection.query(linked)).rows.map((row) => String(row[0]))
    const readable = await readableIds(ctx, relation.target, [...new Set([...ids.map(String), ...now])])
    const there = ids.map(String).filter((each) => readable.has(each))
    const shown = now.filter((each) => readable.has(each))
    const isSame = isOrdered ? isDeepStrictEqual(there, shown) : isSameSet(there, shown)
    if (!isSame) links[name] = { set: there }
  }
  return links
}

function isSameSet(left: readonly string[], right: readonly string[]): boolean {
  const members = new Set(left)
  return members.size === right.length && right.every((each) => members.has(each))
}

interface RevertedRow {
  readonly resource: Resource
  /** The stage whose copy of the record is reverted. */
  readonly stage: string | undefined
  readonly id: string
  readonly version: ChosenVersion
}

async function prepareRevert(ctx: WriteContext, { resource, stage, id, version }: RevertedRow): Promise<RowChange> {
  const original = hasChangeHooks(resource) ? await readWholeRow(ctx, resource, id) : {}
  const change = { resource, operation: "revert", data: version.data, original, stage } as const
  const parsed = await parseUpdateInput({ ...ctx, valueSource: "stored" }, { resource, data: version.data })
  // The values are cloned, because hooks may mutate the objects that they get.
  const untouched = structuredClone(namedValues(parsed))
  const { values, nested, completed } = await prepareValues(ctx, change, parsed)
  const { copied, given } = splitByHookChanges(values, untouched)
  stampChange(ctx, resource, given)
  const statement = (rules: RowRules) => {
    const revert = { id, versionId: version.id, copied: [...copied.keys()], values: given }
    if (resource.working) return revertCopy(resource, { ...revert, user: userOf(ctx) }, rules)
    return revertRow(resource, revert, rules)
  }
  return { resource, id, values: given, nested, copied, completed, statement }
}

// Splits the values into `copied`, which no hook has changed, and `given`, which a hook has set or changed. The values
// in `copied` are then copied from the version's row, which has them in all locales.
function splitByHookChanges(values: FieldInput, untouched: RecordData): { copied: FieldInput; given: FieldInput } {
  const isLeft = ([{ name }, value]: [ResourceField, unknown]) =>
    Object.hasOwn(untouched, name) && isDeepStrictEqual(untouched[name], value)
  return {
    copied: new Map([...values].filter(isLeft)),
    given: new Map([...values].filter((entry) => !isLeft(entry))),
  }
}
