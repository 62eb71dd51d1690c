import { mayNameResource, suggestResource } from "../engine/access/known-resources.ts"
import { storedId } from "../engine/read/by-id.ts"
import type { AppSchema } from "../schema/compile/resource.ts"
import { ApiError } from "../wire/errors/api-error.ts"
import { namesLike } from "../wire/errors/did-you-mean.ts"
import { RESERVED_IDS } from "../wire/paths/paths.ts"
import type { Endpoint, EndpointCall } from "./endpoint.ts"
import type { PathSuggestion } from "./router.ts"

type Params = Readonly<Record<string, string>>

/** Returns the record endpoints, restricted to the names of existing collections and globals. */
export function restrictToKnownResources(schema: AppSchema, endpoints: readonly Endpoint[]): readonly Endpoint[] {
  return endpoints.map((endpoint) => ({
    ...endpoint,
    exists: (params) => pathExists(schema, params),
    loggedPath: (params) => withResourceName(schema, endpoint.path, params),
    run: (call) => (hasResource(schema, call.params) ? endpoint.run(call) : refuseUnknownResource(call)),
  }))
}

// Returns the path with the name of its collection or global, if there is one of this name: `/posts/:id`.
function withResourceName(schema: AppSchema, path: string, params: Params): string {
  if (!hasResource(schema, params)) return path
  const { collection, name } = params
  return collection === undefined ? path.replace(":name", name ?? "") : path.replace(":collection", collection)
}

function pathExists({ collections, globals }: AppSchema, { collection, id, key, name }: Params): boolean {
  if (collection === undefined) return globals.has(name ?? "")
  const resource = collections.get(collection)
  if (resource === undefined) return false
  if (key !== undefined) return resource.upload !== undefined
  return id === undefined || (!RESERVED_IDS.has(id) && storedId(resource, id) !== undefined)
}

function hasResource({ collections, globals }: AppSchema, { collection, name }: Params): boolean {
  return collection === undefined ? globals.has(name ?? "") : collections.has(collection)
}

// Throws the error for an unknown collection or global. It suggests a similar name only if the caller may know of that
// resource.
async function refuseUnknownResource({ ctx, params: { collection, name = "" } }: EndpointCall): Promise<never> {
  const { collections, globals } = ctx.schema
  const [kind, known] =
    collection === undefined ? (["global", globals] as const) : (["collection", collections] as const)
  const remedy = await suggestResource(ctx, collection ?? name, known)
  throw new ApiError("NOT_FOUND", { message: `There is no such ${kind}.${remedy}` })
}

// The maximum number of similar paths. It is low, because rules are evaluated for each path until one is found that the
// caller may know of.
const MAX_SUGGESTIONS = 5

/** Returns a function that finds existing paths that are similar to an unknown path, the most similar first. */
export function suggestPaths(
  schema: AppSchema,
  endpoints: readonly Endpoint[],
): (path: string) => readonly PathSuggestion[] {
  const fixed = endpoints.filter(({ path }) => !/\/[:*]/.test(path))
  const fixedPaths = new Set(fixed.map(({ path }) => path))
  return (path) => {
    const start = firstSegment(path)
    const whole = namesLike(path, fixedPaths).map((near): PathSuggestion => {
      const there = fixed.filter((endpoint) => endpoint.path === near)
      return { path: near, maySuggest: (call) => maySuggestAny(there, call) }
    })
    const names = schema.collections.has(start) ? [] : namesLike(start, schema.collections.keys())
    const below = names.map((name): PathSuggestion => {
      const resource = schema.collections.get(name)
      const near = `/${name}${path.slice(start.length + 1)}`
      return {
        path: near,
        maySuggest: async ({ ctx }) => resource !== undefined && (await mayNameResource(ctx, resource)),
      }
    })
    return [...whole, ...below].slice(0, MAX_SUGGESTIONS)
  }
}

// True if the caller may know of one of the endpoints. A path may take several methods, and each method may have its
// own rule.
async function maySuggestAny(endpoints: readonly Endpoint[], call: EndpointCall): Promise<boolean> {
  for (const { maySuggest } of endpoints) if (maySuggest === undefined || (await maySuggest(call))) return true
  return false
}

function firstSegment(path: string): string {
  return path.split("/", 2)[1] ?? ""
}
