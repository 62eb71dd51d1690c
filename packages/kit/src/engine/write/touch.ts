import { type AppSchema, GLOBAL_ROW_ID, type Resource } from "../../schema/compile/resource.ts"
import { appendTouchedRecords } from "../../sql/changes/changes.ts"
import { didYouMean } from "../../wire/errors/did-you-mean.ts"
import type { OperationContext } from "../context/operation-context.ts"
import { storedId } from "../read/by-id.ts"

interface TouchInput {
  readonly name: string
  readonly ids: string | readonly string[] | undefined
}

/**
 * Appends a row to `_kit_changes` for each record that was written without the engine. Uses the context's connection.
 */
export async function touchRecords(ctx: OperationContext, { name, ids }: TouchInput): Promise<void> {
  const resource = findResource(ctx.schema, name)
  const given = resource.kind === "global" ? [GLOBAL_ROW_ID] : idsOf(resource, ids)
  if (given.length > 0) await ctx.connection.query(appendTouchedRecords(resource, given))
}

function findResource({ collections, globals }: AppSchema, name: string): Resource {
  const resource = collections.get(name) ?? globals.get(name)
  if (resource) return resource
  const hint = didYouMean(name, [...collections.keys(), ...globals.keys()])
  throw new Error(`There is no collection or global "${name}" to touch.${hint}`)
}

function idsOf(resource: Resource, ids: TouchInput["ids"]): readonly string[] {
  const given = typeof ids === "string" ? [ids] : (ids ?? [])
  const stored = given.map((id) => storedId(resource, id))
  const wrong = stored.indexOf(undefined)
  if (ids === undefined || wrong >= 0) {
    throw new Error(
      `touch("${resource.name}", ids) takes the ids of records; ${JSON.stringify(given[wrong])} is not an id.`,
    )
  }
  return stored.filter((id) => id !== undefined)
}
