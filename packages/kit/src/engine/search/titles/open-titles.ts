import type { Resource, ResourceField } from "../../../schema/compile/resource.ts"
import { type Predicate, predicateOf } from "../../../sql/filter/predicate.ts"
import { ApiError, type ErrorCode } from "../../../wire/errors/api-error.ts"
import { evaluateActiveAccess } from "../../access/authorize.ts"
import { inStage } from "../../access/stage.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import { NO_OPTIONS, type UncheckedOptions } from "../../context/read-options.ts"
import { mapInParallel } from "../../read/map-in-parallel.ts"
import { runBeforeRead } from "../../read/read-hooks.ts"
import { readingFor } from "../../read/reading-for.ts"

/** A collection whose titles the caller may read, in one stage. */
export interface OpenTitles {
  readonly resource: Resource
  /** The options of a `find` of these records. */
  readonly options: UncheckedOptions["options"]
  /** The title as the caller sees it, perhaps hidden in some rows. */
  readonly title: ResourceField
  /** The rows that the caller may read. */
  readonly readable: Predicate
}

/**
 * Returns the collections that have a title, and whose rules let the caller read it in some rows. With `drafts`, these are
 * the working copies in the collections whose drafts the caller may read, and otherwise the rows of a `find` without options.
 */
export async function openTitles(ctx: OperationContext, drafts: boolean): Promise<readonly OpenTitles[]> {
  const titled = [...ctx.schema.collections.values()].filter(({ title }) => title !== undefined)
  const open = await mapInParallel(titled, async (resource) => {
    const stage = drafts ? resource.workflow?.initial : undefined
    const working = stage === undefined ? undefined : await openOrClosed(ctx, resource, { stage })
    return working ?? openOrClosed(ctx, resource, {})
  })
  return open.filter((titles) => titles !== undefined)
}

const CLOSED: ReadonlySet<ErrorCode> = new Set(["NOT_FOUND", "UNAUTHORIZED", "FORBIDDEN"])

// A hook that refuses to read one collection must not close all others.
async function openOrClosed(
  outer: OperationContext,
  asked: Resource,
  options: UncheckedOptions["options"],
): Promise<OpenTitles | undefined> {
  try {
    return await openCollection(outer, asked, options)
  } catch (error) {
    if (error instanceof ApiError && CLOSED.has(error.code)) return undefined
    throw error
  }
}

async function openCollection(
  outer: OperationContext,
  asked: Resource,
  options: UncheckedOptions["options"],
): Promise<OpenTitles | undefined> {
  const { ctx, resource } = await inStage(outer, asked, { options, isText: false })
  const access = await evaluateActiveAccess(ctx, resource, { operation: "read" })
  if (access.kind === "deny") return undefined
  await runBeforeRead(ctx, resource, { operation: "find" })
  const { visibility } = await readingFor(ctx, resource, NO_OPTIONS)
  const title = visibility.fields(resource).get(resource.title ?? "")
  return title && { resource, options, title, readable: predicateOf(access) }
}
