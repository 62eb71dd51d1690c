import type { Resource } from "../../schema/resource.ts"
import { keepsLinks, lockLinked, refreshLinks, versionAgain } from "../../sql/write-versions.ts"
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
  const { written, others: ids } = linked
  if (ids.length > 0) {
    await ctx.connection.query(lockLinked(resource, ids))
    await ctx.connection.query(versionAgain(resource, { ids, user: userOf(ctx), at: ctx.now() }))
  }
  if (written.length > 0) await ctx.connection.query(refreshLinks(resource, written))
}
