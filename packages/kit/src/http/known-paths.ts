import { storedId } from "../engine/by-id.ts"
import type { AppSchema } from "../schema/resource.ts"
import { ApiError } from "../wire/api-error.ts"
import { closestName } from "../wire/did-you-mean.ts"
import { RESERVED_IDS } from "../wire/paths.ts"
import type { Endpoint } from "./endpoint.ts"

type Params = Readonly<Record<string, string>>

/** The endpoints of records, which answer only below the names of collections and globals. */
export function onlyWhereKnown(schema: AppSchema, endpoints: readonly Endpoint[]): readonly Endpoint[] {
  return endpoints.map((endpoint) => ({ ...endpoint, isThere: (params) => isKnown(schema, params) }))
}

function isKnown({ collections, globals }: AppSchema, { collection, id, key, name }: Params): boolean {
  if (collection === undefined) return globals.has(name ?? "")
  const resource = collections.get(collection)
  if (resource === undefined) return false
  if (key !== undefined) return resource.upload !== undefined
  return id === undefined || (!RESERVED_IDS.has(id) && storedId(resource, id) !== undefined)
}

/** Says of a path that leads nowhere which one may have been meant. */
export function nearestPath(schema: AppSchema, endpoints: readonly Endpoint[]): (path: string) => string {
  const fixed = endpoints.map(({ path }) => path).filter((path) => !/\/[:*]/.test(path))
  const starts = new Set([...schema.collections.keys(), ...fixed.map(firstSegment)])
  return (path) => {
    const start = firstSegment(path)
    const nearStart = starts.has(start) ? undefined : closestName(start, [...starts])
    const nearest = closestName(path, fixed) ?? (nearStart && `/${nearStart}${path.slice(start.length + 1)}`)
    return nearest === undefined ? "" : ` Did you mean "${nearest}"?`
  }
}

function firstSegment(path: string): string {
  return path.split("/", 2)[1] ?? ""
}

/** The 404 of a name that no resource has; others are offered only if they are much alike. */
export function unknownName(kind: "collection" | "global", name: string, known: Iterable<string>): ApiError {
  const nearest = closestName(name, [...known])
  const remedy = nearest === undefined ? "" : ` Did you mean "${nearest}"?`
  return new ApiError("NOT_FOUND", { message: `There is no such ${kind}.${remedy}` })
}
