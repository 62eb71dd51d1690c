import type { Resource, ResourceField } from "../../schema/compile/resource.ts"
import { askedParts } from "../../sql/parse/asked-parts.ts"
import { titledTarget } from "../../sql/parse/parse-group.ts"
import type { RelationStages } from "../../sql/parse/relation-stage.ts"
import { QUERY_LIMITS } from "../../wire/options/query-options.ts"

type Options = Readonly<Record<string, unknown>>

const NONE: ReadonlySet<Resource> = new Set()

// The options that refer to other resources.
const OPTIONS = ["where", "orderBy", "with", "groupBy"]

/**
 * Returns the resources that a read refers to in its filter, its order, its hydrated relations and the titles of its
 * groups. Behind a relation that names a stage of its own, these are the resources in the stages that were chosen for it.
 */
export function reachedResources(
  resource: Resource,
  options: Options,
  relationStages?: RelationStages,
): ReadonlySet<Resource> {
  if (OPTIONS.every((name) => options[name] === undefined)) return NONE
  const reached = new Set<Resource>()
  walkRead({ resource, reached, depth: 0, path: "", stagedTarget }, options)
  return reached

  function stagedTarget({ options: named }: StagedRelation): Resource | undefined {
    const chosen = relationStages?.get(named)
    return chosen?.kind === "target" ? chosen.target : undefined
  }
}

/** A relation in `with` that names a stage of its own. */
export interface StagedRelation {
  readonly parent: Resource
  readonly field: ResourceField
  readonly target: Resource
  readonly options: Options
  /** The path of the relation in the options of the read, such as `with.author`. */
  readonly path: string
}

interface StageScope {
  readonly resources: ReadonlySet<Resource>
  readonly relations: readonly StagedRelation[]
}

/**
 * Returns the resources for which one named stage counts: those that the read refers to, up to the relations that name
 * a stage of their own, and these relations.
 */
export function stageScope(resource: Resource, options: Options, path = ""): StageScope {
  const resources = new Set([resource])
  const relations: StagedRelation[] = []
  const stagedTarget = (relation: StagedRelation) => void relations.push(relation)
  walkRead({ resource, reached: resources, depth: 0, path, stagedTarget }, options)
  return { resources, relations }
}

interface Walk {
  readonly resource: Resource
  readonly reached: Set<Resource>
  readonly depth: number
  /** The path of the walked options, with a dot at its end unless it is empty. */
  readonly path: string
  /** Returns the resource at which the walk goes on behind a relation that names a stage, or undefined to end there. */
  stagedTarget(relation: StagedRelation): Resource | undefined
}

// The maximum depth to which options are searched for resources. The parser that runs next rejects filters that are
// nested too deep. The factor is 2 because each nested filter is in a list or under an operator, which is another
// level.
const MAX_DEPTH = 2 * QUERY_LIMITS.maxWhereDepth + 2

function walkRead(walk: Walk, options: Options): void {
  walkConditions({ ...walk, depth: 0 }, options["where"])
  walkConditions({ ...walk, depth: 0 }, options["orderBy"])
  walkRelations(walk, options["with"])
  const titled = titledTarget(walk.resource, options["groupBy"])
  if (titled) walk.reached.add(titled)
}

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
    const field = walk.resource.fields.get(name)
    if (field === undefined) continue
    const path = `${walk.path}with.${name}`
    if (field.relation) walkRelation(walk, { field, target: field.relation.target, value, path })
    if (field.references.length === 0) continue
    for (const part of askedParts(field, { value, path }, leaveToParser)) {
      walkRelation(walk, { field, target: part.reference.target, value: part.value, path: part.path })
    }
  }
}

const leaveToParser = { isText: true, refuse: () => {} }

interface NamedRelation extends Pick<StagedRelation, "field" | "target" | "path"> {
  readonly value: unknown
}

function walkRelation(walk: Walk, { field, target, value, path }: NamedRelation): void {
  // The relation itself is visible or hidden by the rules of its target, whichever stage it names.
  walk.reached.add(target)
  if (typeof value !== "object" || value === null) return
  // The cast is safe: `value` is an object, and the values of `Options` are unknown.
  const relation = { parent: walk.resource, field, target, options: value as Options, path }
  const resource = relation.options["stage"] === undefined ? target : walk.stagedTarget(relation)
  if (resource === undefined) return
  walk.reached.add(resource)
  walkRead({ ...walk, resource, depth: walk.depth + 1, path: `${path}.` }, relation.options)
}
