import type { Resource, ResourceField } from "../../../schema/compile/resource.ts"
import { type Predicate, predicateOf } from "../../../sql/filter/predicate.ts"
import { ApiError, type ErrorCode } from "../../../wire/errors/api-error.ts"
import { evaluateActiveAccess } from "../../access/authorize.ts"
import { inStage } from "../../access/stage.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import { NO_OPTIONS } from "../../context/read-options.ts"
import { mapInParallel } from "../../read/map-in-parallel.ts"
import { runBeforeRead } from "../../read/read-hooks.ts"
import { readingFor } from "../../read/reading-for.ts"

/** A collection whose titles the caller may read, in the stage of a `find` that names none. */
export interface OpenTitles {
  readonly resource: Resource
  /** The title as the caller sees it, perhaps hidden in some rows. */
  readonly title: ResourceField
  /** The rows that the caller may read. */
  readonly readable: Predicate
}

/** Returns the collections that have a title, and whose rules let the caller read it in some rows. */
export async function openTitles(ctx: OperationContext): Promise<readonly OpenTitles[]> {
  const titled = [...ctx.schema.collections.values()].filter(({ title }) => title !== undefined)
  const open = await mapInParallel(titled, (resource) => openOrClosed(ctx, resource))
  return open.filter((titles) => titles !== undefined)
}

const CLOSED: ReadonlySet<ErrorCode> = new Set(["NOT_FOUND", "UNAUTHORIZED", "FORBIDDEN"])

// A hook that refuses to read one collection must not close all others.
async function openOrClosed(outer: OperationContext, asked: Resource): Promise<OpenTitles | undefined> {
  try {
    return await openCollection(outer, asked)
  } catch (error) {
    if (error instanceof ApiError && CLOSED.has(error.code)) return undefined
    throw error
  }
}

async function openCollection(outer: OperationContext, asked: Resource): Promise<OpenTitles | undefined> {
  const { ctx, resource } = await inStage(outer, asked, NO_OPTIONS)
  const access = await evaluateActiveAccess(ctx, resource, { operation: "read" })
  if (access.kind === "deny") return undefined
  await runBeforeRead(ctx, resource, { operation: "find" })
  const { visibility } = await readingFor(ctx, resource, NO_OPTIONS)
  const title = visibility.fields(resource).get(resource.title ?? "")
  return title && { resource, title, readable: predicateOf(access) }
}
