import type { Resource } from "../../schema/compile/resource.ts"
import { QUERY_LIMITS } from "../../wire/options/query-options.ts"

/** Returns the resources that a read refers to in its filter, its order and its hydrated relations. */
export function reachedResources(
  resource: Resource,
  options: Readonly<Record<string, unknown>>,
): ReadonlySet<Resource> {
  const reached = new Set<Resource>()
  walkConditions({ resource, reached, depth: 0 }, options["where"])
  walkConditions({ resource, reached, depth: 0 }, options["orderBy"])
  walkRelations({ resource, reached, depth: 0 }, options["with"])
  return reached
}

interface Walk {
  readonly resource: Resource
  readonly reached: Set<Resource>
  readonly depth: number
}

// The maximum depth to which options are searched for resources. The parser that runs next rejects filters that are
// nested too deep. The factor is 2 because each nested filter is in a list or under an operator, which is another
// level.
const MAX_DEPTH = 2 * QUERY_LIMITS.maxWhereDepth + 2

function walkConditions(walk: Walk, input: unknown): void {
  if (typeof input !== "object" || input === null || walk.depth > MAX_DEPTH) return
  for (const [name, value] of Object.entries(input)) {
    // In a URL query string, an empty string stands for an empty filter.
    const isFilter = value === "" || (typeof value === "object" && value !== null)
    const relation = Array.isArray(input) ? undefined : walk.resource.fields.get(name)?.relation
    // For a to-one relation, a plain value is the id of the related record, so the related resource is not read. For a
    // to-many relation, a plain value is an error.
    if (relation && (isFilter || relation.kind !== "belongsTo")) walk.reached.add(relation.target)
    if (!isFilter) continue
    walkConditions({ ...walk, resource: relation?.target ?? walk.resource, depth: walk.depth + 1 }, value)
  }
}

function walkRelations(walk: Walk, input: unknown): void {
  if (typeof input !== "object" || input === null || walk.depth > MAX_DEPTH) return
  for (const [name, value] of Object.entries(input)) {
    const target = walk.resource.fields.get(name)?.relation?.target
    if (target === undefined) continue
    walk.reached.add(target)
    if (typeof value !== "object" || value === null) continue
    const nested = value as Record<string, unknown>
    walkConditions({ ...walk, resource: target, depth: 0 }, nested["where"])
    walkConditions({ ...walk, resource: target, depth: 0 }, nested["orderBy"])
    walkRelations({ ...walk, resource: target, depth: walk.depth + 1 }, nested["with"])
  }
}
