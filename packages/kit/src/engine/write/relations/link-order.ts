import { isOrderedRelation } from "../../../schema/compile/resource.ts"
import type { MaybePromise } from "../../../schema/context/when-ready.ts"
import type { LinkMove } from "../../../schema/fields/relation.ts"
import { selectLinksInOrder, storePositions } from "../../../sql/write/link-positions.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import { missingTarget } from "../../database/database-errors.ts"
import { TimeSlice } from "../../read/time-slice.ts"
import { readableIds } from "./find-targets.ts"
import { updateLinkVersions } from "./link-versions.ts"
import { type RecordRelation, unknownLinks } from "./link-visibility.ts"

/** Puts the records that an ordered relation links with the written record into the order of the given ids. */
export function orderLinks(ctx: OperationContext, from: RecordRelation, ids: readonly string[]): Promise<void> {
  return reorder(ctx, from, (linked) => inGivenOrder(linked, ids))
}

/**
 * Moves records that an ordered relation links with the written record. Throws the same error for a record that is not
 * linked, for one that does not exist, and for one whose link is hidden from the caller.
 */
export async function moveLinks(
  ctx: OperationContext,
  from: RecordRelation,
  moves: readonly LinkMove[],
): Promise<void> {
  const { name } = from.field
  const visible = await visibleLinks(ctx, from, [...new Set(moves.flatMap(recordsOfMove))])
  await reorder(ctx, from, (linked) => {
    const movable = new Set(linked.filter((id) => visible.has(id)))
    const missing = moves.findIndex((move) => !recordsOfMove(move).every((id) => movable.has(id)))
    if (missing !== -1) throw missingTarget({ name: `${name}.move.${missing}` })
    return movedInTurns(linked, moves)
  })
}

async function movedInTurns(linked: readonly string[], moves: readonly LinkMove[]): Promise<readonly string[]> {
  const turn = new TimeSlice()
  let order = linked
  for (const move of moves) {
    if (turn.isOver) await turn.next()
    order = moved(order, move)
  }
  return order
}

// Returns the ids of the records that must be linked for the move.
function recordsOfMove(move: LinkMove): readonly string[] {
  if ("before" in move) return [move.id, move.before]
  return "after" in move ? [move.id, move.after] : [move.id]
}

// Returns those of the ids whose links are visible to the caller, if there are links.
async function visibleLinks(
  ctx: OperationContext,
  from: RecordRelation,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const readable = await readableIds(ctx, from.relation.target, ids)
  const unknown = await unknownLinks(ctx, from, ids)
  return new Set(ids.filter((id) => readable.has(id) && !unknown.has(id)))
}

// Changes the order of all linked records, hidden and deleted ones too. The transaction has locked the row of the written
// record, or has made it. Versions of the linked records do not contain the order.
async function reorder(
  ctx: OperationContext,
  { resource, id, relation }: RecordRelation,
  change: (linked: readonly string[]) => MaybePromise<readonly string[]>,
): Promise<void> {
  if (!isOrderedRelation(relation)) return
  const { rows } = await ctx.connection.query(selectLinksInOrder(relation, id))
  const linked = rows.map(([other]) => String(other))
  const ordered = await change(linked)
  if (ordered.every((other, index) => other === linked[index])) return
  await ctx.connection.query(storePositions(relation, id, ordered))
  await updateLinkVersions(ctx, resource, { table: relation.link.table, written: [id], others: [] })
}

/**
 * Sorts the given records among the linked ones. Each of the other records keeps its place, counted from the start: a
 * caller who does not see a record does not move it by sorting those around it.
 */
export function inGivenOrder(linked: readonly string[], given: readonly string[]): readonly string[] {
  const named = new Set(given)
  const there = new Set(linked)
  const next = given.filter((id) => there.has(id)).values()
  return linked.map((id) => (named.has(id) ? (next.next().value ?? id) : id))
}

/** Moves a linked record. The other record that the move names is linked, too. */
export function moved(linked: readonly string[], move: LinkMove): readonly string[] {
  const others = linked.filter((id) => id !== move.id)
  return others.toSpliced(placeAmong(others, move), 0, move.id)
}

function placeAmong(others: readonly string[], move: LinkMove): number {
  if ("before" in move) return others.indexOf(move.before)
  if ("after" in move) return others.indexOf(move.after) + 1
  return move.to === "start" ? 0 : others.length
}
