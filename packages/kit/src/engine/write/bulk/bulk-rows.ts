import type { Resource } from "../../../schema/compile/resource.ts"
import { both, type Predicate, predicateOf } from "../../../sql/filter/predicate.ts"
import { selectMatching } from "../../../sql/read/select.ts"
import { idsMatching, lockMatching, predicateKey } from "../../../sql/write/write-many.ts"
import { invalid } from "../../../wire/errors/api-error.ts"
import { QUERY_LIMITS } from "../../../wire/options/query-options.ts"
import type { RecordData } from "../../../wire/results/operations.ts"
import { denied } from "../../access/authorize.ts"
import type { WriteContext } from "../../context/hook-context.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import { type Answer, answer, authoredAnswer } from "../../read/answer.ts"
import { byIds } from "../../read/by-id.ts"
import { readForAnswer } from "../../read/read-for-answer.ts"
import { hasReadHooks, runAfterRead } from "../../read/read-hooks.ts"
import { toRecords } from "../../read/records.ts"
import { TimeSlice } from "../../read/time-slice.ts"
import type { WriteRights } from "../rights.ts"
import { tooMany } from "./bulk-input.ts"

/**
 * Locks the matching rows in the order of their ids, so that two bulk writes cannot deadlock. Then evaluates the filter
 * again, because another transaction may have changed a row before it was locked.
 */
export async function lockRows(ctx: WriteContext, resource: Resource, predicate: Predicate): Promise<string[]> {
  const locked = await ctx.connection.query(lockMatching(resource, predicate, QUERY_LIMITS.maxBulkRows + 1))
  if (locked.rows.length > QUERY_LIMITS.maxBulkRows) throw invalid("where", tooMany())
  const ids = locked.rows.map(([id]) => String(id))
  return ids.length === 0 ? ids : matchingIds(ctx, { resource, ids }, predicate)
}

export async function matchingIds(
  ctx: OperationContext,
  { resource, ids }: { resource: Resource; ids: readonly string[] },
  predicate: Predicate,
): Promise<string[]> {
  const { rows } = await ctx.connection.query(idsMatching(resource, ids, predicate))
  return rows.map(([id]) => String(id))
}

/** Evaluates the write rule again, on the rows as they are after the write. Throws if the rule does not allow them. */
export async function checkWrittenRows(
  ctx: WriteContext,
  { resource, ids }: { resource: Resource; ids: readonly string[] },
  write: Predicate,
): Promise<void> {
  const allowed = await matchingIds(ctx, { resource, ids }, write)
  if (allowed.length < ids.length) throw denied(ctx.session, "leave a record in this state")
}

/**
 * Returns the written records in the order of `ids`. For a record that the caller may not read, returns only its id.
 */
export async function readWrittenRows(
  ctx: WriteContext,
  { resource, ids }: { resource: Resource; ids: readonly string[] },
  { read, selection }: WriteRights,
): Promise<Answer<readonly RecordData[]>> {
  if (ids.length === 0) return answer([], selection)
  const predicate = both(byIds(resource, ids), predicateOf(read))
  const { rows } = await readForAnswer(ctx, selectMatching(selection, predicate))
  const found = await toRecords(selection, rows)
  const foundIds = found.map((record) => record["id"])
  const shown = await runAfterRead(ctx, { selection, operation: "write" }, found)
  const known = new Map(foundIds.map((id, index) => [id, shown[index]]))
  const records = ids.map((id) => known.get(id) ?? { id })
  const isWhole = rows.length === ids.length && !hasReadHooks(selection)
  return isWhole ? answer(records, selection, "*.") : authoredAnswer(records)
}

/** The update of a row, with the filter that the update rule returned. */
interface RuledUpdate {
  readonly id: string
  readonly predicate: Predicate
}

interface PredicateGroup {
  readonly predicate: Predicate
  readonly ids: string[]
}

/**
 * Groups the updates by the filter that the update rule returned. The rule is evaluated for each update, but mostly
 * returns the same filter for all updates. Updates with equal filters share one statement.
 */
export async function groupByPredicate(updates: readonly RuledUpdate[]): Promise<Iterable<PredicateGroup>> {
  const groups = new Map<string, PredicateGroup>()
  const keys = new Map<Predicate, string>()
  const turn = new TimeSlice()
  for (const { predicate, id } of updates) {
    if (turn.isOver) await turn.next()
    const key = keys.get(predicate) ?? predicateKey(predicate)
    keys.set(predicate, key)
    const group = groups.get(key) ?? { predicate, ids: [] }
    group.ids.push(id)
    groups.set(key, group)
  }
  return groups.values()
}
