import type { Resource } from "../../../schema/compile/resource.ts"
import { guardedFilter } from "../../../sql/filter/guarded-filter.ts"
import { both, onWorkingCopy, type Predicate, predicateOf } from "../../../sql/filter/predicate.ts"
import type { CallFacts } from "../../access/authorize.ts"
import type { WriteContext } from "../../context/hook-context.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import { byIds } from "../../read/by-id.ts"
import { type CopyFacts, type CopyRights, resolveCopyRights } from "../copies/copy-rights.ts"
import { reachableRows, resolveWriteRights, type WriteRights, writableRows } from "../rights.ts"
import { lockRows } from "./bulk-rows.ts"

/** The rows among which the filter of a bulk write chooses: working copies, or the copies in a stage. */
interface WrittenRows {
  /** The resource whose rows are written. */
  readonly resource: Resource
  /** The caller's rights on these rows. */
  readonly rights: WriteRights
  /** Locks the rows that match the filter and that the caller may write, and returns their ids. */
  lock(ctx: WriteContext, filter: Predicate): Promise<string[]>
}

/** Evaluates the rules of a bulk write. With a `stage` in the facts, the write changes the copies in that stage. */
export async function resolveWrittenRows(
  ctx: OperationContext,
  resource: Resource,
  facts: CallFacts,
): Promise<WrittenRows> {
  const { stage } = facts
  if (stage !== undefined) return await resolveWrittenCopies(ctx, resource, { ...facts, stage })
  const rights = await resolveWriteRights(ctx, resource, facts)
  const reachable = reachableRows(rights)
  return { resource, rights, lock: (inner, filter) => lockRows(inner, resource, guardedFilter(reachable, filter)) }
}

async function resolveWrittenCopies(ctx: OperationContext, resource: Resource, facts: CopyFacts): Promise<WrittenRows> {
  const rights = await resolveCopyRights(ctx, resource, facts)
  const { copy, onCopy } = rights
  const reachable = reachableCopies(rights)
  const lock = (inner: WriteContext, filter: Predicate) =>
    lockCopiesOf(inner, { resource, copy }, guardedFilter(reachable, filter))
  return { resource: copy, rights: onCopy, lock }
}

// Returns the stage copies that the filter can match: those that the caller may read, if the rules let the caller write
// the record by its working copy.
function reachableCopies({ copy, onWorking, onCopy }: CopyRights): Predicate {
  const writable = onWorkingCopy(copy, writableRows(onWorking))
  return both(onCopy.rows, both(predicateOf(onCopy.read), writable))
}

// Every write of a stage copy locks the row of the working copy first, so that two of them cannot deadlock. The filter is
// evaluated again on the locked copies.
async function lockCopiesOf(
  ctx: WriteContext,
  { resource, copy }: { readonly resource: Resource; readonly copy: Resource },
  predicate: Predicate,
): Promise<string[]> {
  const ids = await lockRows(ctx, resource, { kind: "related", field: resource.id, target: copy, part: predicate })
  return ids.length === 0 ? ids : lockRows(ctx, copy, both(byIds(copy, ids), predicate))
}
