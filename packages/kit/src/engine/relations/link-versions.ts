import type { Resource } from "../../schema/compile/resource.ts"
import { ALWAYS, both, isAlways, NEVER, type Predicate, predicateOf } from "../../sql/filter/predicate.ts"
import {
  keepsLinks,
  linkedFields,
  lockLinked,
  refreshLinks,
  touchLinked,
  versionAgain,
} from "../../sql/versions/write-versions.ts"
import { idsMatching, predicateKey } from "../../sql/write/write-many.ts"
import { judgeByRule, judgeField } from "../access/authorize.ts"
import type { OperationContext } from "../context/operation-context.ts"
import { userOf } from "../write/stamp.ts"

/** Records whose links have changed, by their ids. */
interface Linked {
  /** The table of these links. */
  readonly table: string
  /** Written in this transaction already: their newest version is about the same change. */
  readonly written: readonly string[]
  /** Changed in nothing but their links. */
  readonly others: readonly string[]
}

/** Keeps the versions of records true to their links. */
export async function keepLinkVersions(ctx: OperationContext, resource: Resource, linked: Linked): Promise<void> {
  if (!keepsLinks(resource)) return
  const { table, written, others } = linked
  if (others.length > 0) await keepOthers(ctx, { resource, table }, others)
  if (written.length > 0) await ctx.connection.query(refreshLinks(resource, written))
}

/** One end of the links of a table. */
interface End {
  readonly resource: Resource
  readonly table: string
}

// A caller who may not update a record makes no version of it: enough of them would push out all others, beyond `max`. Nor does
// one who may not see its links: a version would tell of them.
async function keepOthers(ctx: OperationContext, end: End, ids: readonly string[]): Promise<void> {
  const { resource } = end
  await ctx.connection.query(lockLinked(resource, ids))
  const updatable = await updatableIds(ctx, end, ids)
  const versioned = ids.filter((id) => updatable.has(id))
  const refreshed = ids.filter((id) => !updatable.has(id))
  if (versioned.length > 0) {
    await ctx.connection.query(versionAgain(resource, { ids: versioned, user: userOf(ctx), at: ctx.now() }))
  }
  if (refreshed.length === 0) return
  await ctx.connection.query(touchLinked(resource, refreshed))
  await ctx.connection.query(refreshLinks(resource, refreshed))
}

/** Those of the locked records that the rules let the caller update, and see the links of, as they are now. */
async function updatableIds(ctx: OperationContext, end: End, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { resource } = end
  const shown = await rowsWithShownLinks(ctx, end)
  // A rule may look at the id, but most rules allow the same rows whichever it is: these take one statement.
  const groups = new Map<string, { readonly predicate: Predicate; readonly ids: string[] }>()
  for (const id of ids) {
    const predicate = both(await updatableRows(ctx, resource, id), shown)
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

async function rowsWithShownLinks(ctx: OperationContext, { resource, table }: End): Promise<Predicate> {
  let shown = ALWAYS
  for (const field of linkedFields(resource)) {
    if (field.relation.link.table !== table) continue
    shown = both(shown, predicateOf(await judgeField(ctx, { resource, field }, { operation: "read" })))
  }
  return shown
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
