import type { Resource, ResourceField } from "../../schema/compile/resource.ts"
import { maskedComparisons } from "../filter/masked-field.ts"
import { ALWAYS, activeRows, type Predicate, predicateOf } from "../filter/predicate.ts"
import type { ParseContext } from "./parse-context.ts"
import type { Selection } from "./selection.ts"

type FieldMap = ReadonlyMap<string, ResourceField>

/** The key of a cached selection: the requested shape, and the context in which it was parsed. */
interface SelectionRequest {
  readonly resource: Resource
  /** The request's `columns` and `with`, as text. */
  readonly shape: string
  readonly parseContext: ParseContext
}

interface CachedSelection {
  readonly selection: Selection
  readonly targets: readonly Target[]
}

/**
 * A resource that a selection hydrates, with the fields and rows that were visible to the caller who made the
 * selection.
 */
interface Target {
  readonly resource: Resource
  readonly fields: FieldMap
  readonly predicate: Predicate
}

// Cached selections, first by the map of visible fields, then by the requested shape. All callers who see the same
// fields of a resource share one such map.
const selectionCache = new WeakMap<FieldMap, Map<string, CachedSelection>>()
const shared = new WeakSet<Selection>()

// Limits on the selection cache. Callers choose the shape of a request, and the limits keep the cache from growing with
// their choices.
const MAX_SHAPES = 500
const MAX_SHAPE_CHARACTERS = 2_000

/** Returns the cached selection of this shape for callers with the same visibility, or a newly parsed selection. */
export function sharedSelection(
  { resource, shape, parseContext }: SelectionRequest,
  parse: () => Selection,
): Selection {
  const { visibility } = parseContext
  const shapes = shapesOf(visibility.fields(resource))
  const found = shapes.get(shape)
  const isSame = ({ resource: target, fields, predicate }: Target) =>
    visibility.fields(target) === fields && predicateOf(visibility.rows(target)) === predicate
  if (found?.selection.resource === resource && found.targets.every(isSame)) return found.selection
  const selection = parse()
  const targets = targetsOf(selection, parseContext)
  const isKept = targets !== undefined && found === undefined && shapes.size < MAX_SHAPES
  if (!isKept || shape.length > MAX_SHAPE_CHARACTERS) return selection
  shapes.set(shape, { selection, targets })
  shared.add(selection)
  return selection
}

/**
 * True if the selection is cached and serves many requests. Its SQL then binds no values, so anything derived from the
 * selection can be cached too.
 */
export function isShared(selection: Selection): boolean {
  return shared.has(selection)
}

function shapesOf(fields: FieldMap): Map<string, CachedSelection> {
  const found = selectionCache.get(fields)
  if (found) return found
  const made = new Map<string, CachedSelection>()
  selectionCache.set(fields, made)
  return made
}

// Returns the resources that the selection hydrates. Returns undefined if the selection contains a filter, a rule or a
// limit, because it then differs from request to request and cannot be cached.
function targetsOf(
  { relations, parts = [], masked, fields }: Selection,
  parseContext: ParseContext,
): Target[] | undefined {
  if (masked || fields.some((field) => maskedComparisons(field).length > 0)) return undefined
  const targets: Target[] = []
  if (relations.some(({ toMany }) => toMany)) return undefined
  for (const { selection, predicate } of [...relations, ...parts]) {
    const { resource } = selection
    const isOpen = predicate === ALWAYS || predicate === activeRows(resource)
    const inner = isOpen ? targetsOf(selection, parseContext) : undefined
    if (inner === undefined) return undefined
    targets.push({ resource, fields: parseContext.visibility.fields(resource), predicate }, ...inner)
  }
  return targets
}
