import type { Resource } from "../../schema/resource.ts"
import { both, isAlways, NEVER, type Predicate, predicateOf } from "../../sql/predicate.ts"
import { idsMatching, predicateKey } from "../../sql/write-many.ts"
import { keepsLinks, lockLinked, refreshLinks, touchLinked, versionAgain } from "../../sql/write-versions.ts"
import { judgeByRule } from "../authorize.ts"
import type { OperationContext } from "../operation-context.ts"
import { userOf } from "../stamp.ts"

/** Records whose links have changed, by their ids. */
interface Linked {
  /** Written in this transaction already: their newest version is about the same change. */
  readonly written: readonly string[]
  /** Changed in nothing but their links. */
  readonly others: readonly string[]
}

/** Keeps the versions of records true to their links. */
export async function keepLinkVersions(ctx: OperationContext, resource: Resource, linked: Linked): Promise<void> {
  if (!keepsLinks(resource)) return
  const { written, others } = linked
  if (others.length > 0) await keepOthers(ctx, resource, others)
  if (written.length > 0) await ctx.connection.query(refreshLinks(resource, written))
}

// A caller who may not update a record makes no version of it: enough of them would push out all others, beyond `max`.
async function keepOthers(ctx: OperationContext, resource: Resource, ids: readonly string[]): Promise<void> {
  await ctx.connection.query(lockLinked(resource, ids))
  const updatable = await updatableIds(ctx, resource, ids)
  const versioned = ids.filter((id) => updatable.has(id))
  const refreshed = ids.filter((id) => !updatable.has(id))
  if (versioned.length > 0) {
    await ctx.connection.query(versionAgain(resource, { ids: versioned, user: userOf(ctx), at: ctx.now() }))
  }
  if (refreshed.length === 0) return
  await ctx.connection.query(touchLinked(resource, refreshed))
  await ctx.connection.query(refreshLinks(resource, refreshed))
}

/** Those of the locked records that the rules let the caller update, as they are now. */
async function updatableIds(
  ctx: OperationContext,
  resource: Resource,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  // A rule may look at the id, but most rules allow the same rows whichever it is: these take one statement.
  const groups = new Map<string, { readonly predicate: Predicate; readonly ids: string[] }>()
  for (const id of ids) {
    const predicate = await updatableRows(ctx, resource, id)
    const key = predicateKey(predicate)
    const group = groups.get(key) ?? { predicate, ids: [] }
    group.ids.push(id)
    groups.set(key, group)
  }
  const updatable = new Set<string>()
  for (const group of groups.values()) {
    for (const id of await matchingIds(ctx, resource, group)) updatable.add(id)
  }
  return updatable
}

// As for an update by id: a record that the caller may not read is not found, unless they may read none at all.
async function updatableRows(ctx: OperationContext, resource: Resource, id: string): Promise<Predicate> {
  const update = await judgeByRule(ctx, resource, { operation: "update", id, input: {} })
  if (update.kind === "deny") return NEVER
  const read = await judgeByRule(ctx, resource, { operation: "read", id })
  return read.kind === "deny" ? predicateOf(update) : both(predicateOf(update), predicateOf(read))
}

async function matchingIds(
  { connection }: OperationContext,
  resource: Resource,
  { predicate, ids }: { readonly predicate: Predicate; readonly ids: readonly string[] },
): Promise<readonly string[]> {
  if (isAlways(predicate)) return ids
  const { rows } = await connection.query(idsMatching(resource, ids, predicate))
  return rows.map(([id]) => String(id))
}
