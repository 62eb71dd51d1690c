import type { Resource, ResourceField, ToManyRelation } from "../../../schema/compile/resource.ts"
import {
  type Access,
  ALLOW,
  ALWAYS,
  both,
  isAlways,
  NEVER,
  type Predicate,
  predicateOf,
} from "../../../sql/filter/predicate.ts"
import { countMatching, selectMatching } from "../../../sql/read/select.ts"
import { selectRelatedIds } from "../../../sql/write/links.ts"
import { ApiError } from "../../../wire/errors/api-error.ts"
import { type CallFacts, evaluateActiveAccess, evaluateFieldRule } from "../../access/authorize.ts"
import { evaluateDrafts, evaluateStageCopies } from "../../access/stage.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import { byId, byIds } from "../../read/by-id.ts"
import { lockForWrite, resolveWriteRights } from "../rights.ts"

/** One to-many relation of one record. */
export interface RecordRelation {
  readonly resource: Resource
  readonly id: string
  readonly field: ResourceField
  readonly relation: ToManyRelation
}

/**
 * Returns those of the given ids for which the caller may not know whether they are related to this record, because a
 * draft or the relation is hidden from the caller.
 */
export function unknownLinks(
  ctx: OperationContext,
  from: RecordRelation,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  return idsOutside(ctx, { from, ids }, rowsWithKnownLinks)
}

/** Returns those of the given ids whose relation to this record is hidden from the caller by a field rule. */
export function hiddenLinks(
  ctx: OperationContext,
  from: RecordRelation,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  return idsOutside(ctx, { from, ids }, rowsWithVisibleLinks)
}

// Returns the ids of the related records that are not among the rows that `rowsOf` returns.
async function idsOutside(
  ctx: OperationContext,
  { from, ids }: { readonly from: RecordRelation; readonly ids: readonly string[] },
  rowsOf: (ctx: OperationContext, from: RecordRelation) => Promise<Predicate>,
): Promise<ReadonlySet<string>> {
  const rows = ids.length === 0 ? ALWAYS : await rowsOf(ctx, from)
  if (isAlways(rows)) return new Set()
  const { target } = from.relation
  const selection = { resource: target, fields: [target.id], relations: [] }
  const found = await ctx.connection.query(selectMatching(selection, both(byIds(target, ids), rows)))
  const inside = new Set(found.rows.map(([id]) => String(id)))
  return new Set(ids.filter((id) => !inside.has(id)))
}

// Returns the rows of the related records whose relation to this record the caller may know of. If a foreign key makes
// the relation, the caller must be allowed to see the draft that holds the key. If a link makes it, the caller must be
// allowed to see the drafts at both ends.
async function rowsWithKnownLinks(ctx: OperationContext, from: RecordRelation): Promise<Predicate> {
  const { resource, relation } = from
  const shown = await rowsWithVisibleLinks(ctx, from)
  if (relation.kind === "hasMany") return both(predicateOf(await evaluateDrafts(ctx, relation.target)), shown)
  const isSeen = await includesRecord(ctx, from, await evaluateStageAccess(ctx, resource))
  if (!isSeen) return NEVER
  // The links of a copy in a stage belong to that copy alone, so the drafts of the linked records do not matter.
  return resource.working ? shown : both(predicateOf(await evaluateDrafts(ctx, relation.target)), shown)
}

// Returns the rows of the related records whose relation no field rule hides from the caller. The relation's own read
// rule is evaluated on the record that has the relation. The read rule of `via`, the foreign key field, is evaluated on
// the records that point to that record.
async function rowsWithVisibleLinks(ctx: OperationContext, from: RecordRelation): Promise<Predicate> {
  const isShown = await includesRecord(ctx, from, await evaluateFieldRule(ctx, from, { operation: "read" }))
  if (!isShown) return NEVER
  return from.relation.kind === "hasMany" ? rowsWithVisibleVia(ctx, from.relation) : ALWAYS
}

// Returns the rows in which the caller may see `via`, the foreign key field. If `via` is declared as hidden, these are
// all rows, because the relation is then the intended way to see it, as in a read of the relation.
async function rowsWithVisibleVia(
  ctx: OperationContext,
  { target, via }: Extract<ToManyRelation, { kind: "hasMany" }>,
): Promise<Predicate> {
  if (via.hidden) return ALWAYS
  return predicateOf(await evaluateFieldRule(ctx, { resource: target, field: via }, { operation: "read" }))
}

function evaluateStageAccess(ctx: OperationContext, resource: Resource): Promise<Access> {
  const copies = ctx.schema.stages.find((each) => each.resource.table === resource.table)
  return copies ? evaluateStageCopies(ctx, resource, copies.stage) : evaluateDrafts(ctx, resource)
}

/** True if the caller may read the field of this record, or of its copy in a stage. */
export async function isFieldShown(
  ctx: OperationContext,
  { resource, field, id }: Omit<RecordRelation, "relation">,
): Promise<boolean> {
  const rules = [
    await evaluateActiveAccess(ctx, resource, { operation: "read" }),
    await evaluateStageAccess(ctx, resource),
    await evaluateFieldRule(ctx, { resource, field }, { operation: "read" }),
  ]
  const predicate = rules.map(predicateOf).reduce(both)
  return includesRecord(ctx, { resource, id }, isAlways(predicate) ? ALLOW : { kind: "where", predicate })
}

/** True if `access` allows the operation on this record. */
export async function includesRecord(
  { connection }: OperationContext,
  { resource, id }: { readonly resource: Resource; readonly id: string },
  access: Access,
): Promise<boolean> {
  if (access.kind !== "where") return access.kind === "allow"
  const { rows } = await connection.query(countMatching(resource, both(byId(resource, id), access.predicate)))
  return rows[0]?.[0] === 1
}

/**
 * Returns the ids of the records whose copy in the public stage points to this record. Returns none if a field rule
 * hides the foreign key from the caller in some rows.
 */
export async function publiclyRelatedIds(
  ctx: OperationContext,
  { id, relation }: RecordRelation,
): Promise<readonly string[]> {
  if (relation.kind !== "hasMany" || !isAlways(await rowsWithVisibleVia(ctx, relation))) return []
  const { target } = relation
  const copies = ctx.schema.stages.find(
    ({ resource: { working }, stage }) => working?.table === target.table && stage === target.workflow?.public,
  )
  if (copies === undefined) return []
  const { rows } = await ctx.connection.query(selectRelatedIds({ ...relation, target: copies.resource }, id))
  return rows.map(([shown]) => String(shown))
}

type RowFacts = CallFacts & { readonly id: string }

/**
 * Evaluates the rules for a write to a related record, before the write. A caller who may not write gets the access
 * error here, rather than an earlier error of the write that would reveal something about the record.
 */
export async function checkRelatedWrite(ctx: OperationContext, target: Resource, facts: RowFacts): Promise<void> {
  const rights = await resolveWriteRights({ ...ctx, isNested: true }, target, facts)
  await lockForWrite(ctx, { resource: target, id: facts.id }, rights)
}

/** True if the rules allow the caller to write the related record in this way. */
export async function mayWriteRelated(ctx: OperationContext, target: Resource, facts: RowFacts): Promise<boolean> {
  try {
    await checkRelatedWrite(ctx, target, facts)
    return true
  } catch (error) {
    if (error instanceof ApiError && REFUSALS.has(error.code)) return false
    throw error
  }
}

const REFUSALS: ReadonlySet<string> = new Set(["UNAUTHORIZED", "FORBIDDEN", "NOT_FOUND"])
