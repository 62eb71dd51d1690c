import { isId } from "../schema/fields/relation.ts"
import { type AppSchema, GLOBAL_ROW_ID, type Resource } from "../schema/resource.ts"
import { noteTouched } from "../sql/changes.ts"
import { didYouMean } from "../wire/did-you-mean.ts"
import type { OperationContext } from "./operation-context.ts"

interface Touched {
  readonly name: string
  readonly ids: string | readonly string[] | undefined
}

/** Records that somebody has changed these records past the engine, on the connection of the context. */
export async function touchRecords(ctx: OperationContext, { name, ids }: Touched): Promise<void> {
  const resource = findResource(ctx.schema, name)
  const given = resource.kind === "global" ? [GLOBAL_ROW_ID] : idsOf(resource, ids)
  if (given.length > 0) await ctx.connection.query(noteTouched(resource, given))
}

function findResource({ collections, globals }: AppSchema, name: string): Resource {
  const resource = collections.get(name) ?? globals.get(name)
  if (resource) return resource
  const hint = didYouMean(name, [...collections.keys(), ...globals.keys()])
  throw new Error(`There is no collection or global "${name}" to touch.${hint}`)
}

function idsOf({ name }: Resource, ids: Touched["ids"]): readonly string[] {
  const given = typeof ids === "string" ? [ids] : (ids ?? [])
  const wrong = given.find((id) => !isId(id))
  if (ids === undefined || wrong !== undefined) {
    throw new Error(`touch("${name}", ids) takes the ids of records; ${JSON.stringify(wrong)} is none.`)
  }
  return given
}
