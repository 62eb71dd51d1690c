import type { Resource } from "../../../schema/compile/resource.ts"
import { ALWAYS, both, isAlways, NEVER, type Predicate, predicateOf } from "../../../sql/filter/predicate.ts"
import {
  appendVersions,
  keepsLinks,
  linkedFields,
  lockLinked,
  refreshLinks,
  touchLinked,
} from "../../../sql/versions/write-versions.ts"
import { idsMatching, predicateKey } from "../../../sql/write/write-many.ts"
import { evaluateAccess, evaluateFieldRule } from "../../access/authorize.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import { userOf } from "../stamp.ts"

/** The ids of the records whose links in one link table have changed. */
interface ChangedLinks {
  /** The name of the link table. */
  readonly table: string
  /**
   * The ids of the records that this transaction has already written. Their newest version belongs to the same change
   * as the links, so the links are updated in that version.
   */
  readonly written: readonly string[]
  /** The ids of the records in which nothing but the links has changed. */
  readonly others: readonly string[]
}

/** Updates the versions of records whose links have changed. */
export async function updateLinkVersions(
  ctx: OperationContext,
  resource: Resource,
  linked: ChangedLinks,
): Promise<void> {
  if (!keepsLinks(resource)) return
  const { table, written, others } = linked
  if (others.length > 0) await updateOtherVersions(ctx, { resource, table }, others)
  if (written.length > 0) await ctx.connection.query(refreshLinks(resource, written))
}

/** A resource on one side of a link table. */
interface LinkTableEnd {
  readonly resource: Resource
  readonly table: string
}

// A record gets a new version only if the caller may update it and see its links. For all other records, the newest
// version is updated instead. A new version could leak a hidden link, and many new versions would push out the older
// ones, because a record keeps at most `max` versions.
async function updateOtherVersions(ctx: OperationContext, end: LinkTableEnd, ids: readonly string[]): Promise<void> {
  const { resource } = end
  await ctx.connection.query(lockLinked(resource, ids))
  const updatable = await updatableIds(ctx, end, ids)
  const versioned = ids.filter((id) => updatable.has(id))
  const refreshed = ids.filter((id) => !updatable.has(id))
  if (versioned.length > 0) {
    await ctx.connection.query(appendVersions(resource, { ids: versioned, user: userOf(ctx), at: ctx.now() }))
  }
  if (refreshed.length === 0) return
  await ctx.connection.query(touchLinked(resource, refreshed))
  await ctx.connection.query(refreshLinks(resource, refreshed))
}

/** Returns the ids of the locked records that the caller may update and whose links the caller may see. */
async function updatableIds(
  ctx: OperationContext,
  end: LinkTableEnd,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const { resource } = end
  const shown = await rowsWithVisibleLinks(ctx, end)
  // A rule may depend on the record's id, but most rules return the same filter for every id. Ids with equal filters
  // share one statement.
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

// Returns the rows that the caller may update. As in an update by id, the caller must also be allowed to read the
// record, unless they may not read any record of the resource.
async function updatableRows(ctx: OperationContext, resource: Resource, id: string): Promise<Predicate> {
  const update = await evaluateAccess(ctx, resource, { operation: "update", id, input: {} })
  if (update.kind === "deny") return NEVER
  const read = await evaluateAccess(ctx, resource, { operation: "read", id })
  return read.kind === "deny" ? predicateOf(update) : both(predicateOf(update), predicateOf(read))
}

async function rowsWithVisibleLinks(ctx: OperationContext, { resource, table }: LinkTableEnd): Promise<Predicate> {
  let shown = ALWAYS
  for (const field of linkedFields(resource)) {
    if (field.relation.link.table !== table) continue
    shown = both(shown, predicateOf(await evaluateFieldRule(ctx, { resource, field }, { operation: "read" })))
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
