import type { RouteDefinition } from "../../schema/builders/route.ts"
import type { Mistake } from "../../schema/compile/compile.ts"
import { isApiPath } from "../../schema/compile/names.ts"
import { RESERVED_IDS } from "../../wire/paths/paths.ts"
import { ROUTE_LEAVES } from "../../wire/paths/route-names.ts"
import { parseRoutePath, pathOf, patternOf, type Segment, shapeOf } from "./route-path.ts"

/** A custom route and the file that declares it. */
export interface SourcedRoute {
  readonly file: string
  /** The file path below `routes/`, without the extension: `teams/[team]/invite`. */
  readonly path: string
  readonly definition: RouteDefinition
}

/** A custom route that is ready to be called. */
export interface CompiledRoute {
  readonly file: string
  readonly definition: RouteDefinition
  readonly segments: readonly Segment[]
  /** The route's pattern for the router: `/teams/:team/invite`. */
  readonly pattern: string
  /** The route's name in error messages and logs: `POST /teams/:team/invite`. */
  readonly title: string
}

interface CompiledRoutes {
  readonly routes: readonly CompiledRoute[]
  readonly mistakes: readonly Mistake[]
}

/** Returns the custom routes with their URL patterns, and all mistakes in their declarations. */
export function compileRoutes(sources: readonly SourcedRoute[], collections: ReadonlySet<string>): CompiledRoutes {
  const routes: CompiledRoute[] = []
  const mistakes: Mistake[] = []
  const taken = new Map<string, string>()
  for (const { file, path, definition } of sources) {
    const compiled = compileRoute({ file, path, definition })
    const problem = "problem" in compiled ? compiled.problem : findProblem(compiled, { file, collections, taken })
    if (problem !== undefined) mistakes.push({ file, message: problem })
    else if (!("problem" in compiled)) routes.push(compiled)
  }
  return { routes: routes.sort((left, right) => (left.title < right.title ? -1 : 1)), mistakes }
}

function compileRoute({ file, path, definition }: SourcedRoute): CompiledRoute | { readonly problem: string } {
  const parsed = parseRoutePath(path)
  if ("problem" in parsed) return { problem: `the path of a route is its URL, and ${parsed.problem}` }
  const pattern = patternOf(parsed.segments)
  const problem = findPathProblem(definition.path, parsed.segments)
  if (problem !== undefined) return { problem }
  return Object.freeze({
    file,
    definition,
    segments: parsed.segments,
    pattern,
    title: `${definition.method} ${pattern}`,
  })
}

// Returns a problem if the path in `route("…")` is not the path of the file, which is the route's URL.
function findPathProblem(declared: string | undefined, segments: readonly Segment[]): string | undefined {
  if (declared === undefined) return undefined
  const parsed = parseRoutePath(String(declared).replace(/^\//, ""))
  const isSame = !("problem" in parsed) && patternOf(parsed.segments) === patternOf(segments)
  if (isSame) return undefined
  return `route("${declared}") is in the file of another path. Write route("${pathOf(segments)}"), or move the file.`
}

interface RouteCheckContext {
  readonly file: string
  readonly collections: ReadonlySet<string>
  /** The routes declared so far: maps the HTTP method and the URL shape of each route to the file that declares it. */
  readonly taken: Map<string, string>
}

function findProblem(route: CompiledRoute, { file, collections, taken }: RouteCheckContext): string | undefined {
  const { definition, segments, title } = route
  const problem = findShadowingProblem(segments, collections) ?? findLeafProblem(segments)
  if (problem !== undefined) return `${title} ${problem}`
  const key = `${definition.method} ${shapeOf(segments)}`
  const other = taken.get(key)
  taken.set(key, other ?? file)
  return other && `${title} is already declared in ${other}. Rename one of them, or choose another method.`
}

// Returns a problem if a custom route matches the URL of a collection, a record or another built-in path of the API.
// The route would hide that URL, because custom routes are matched first.
function findShadowingProblem(
  [first, second]: readonly Segment[],
  collections: ReadonlySet<string>,
): string | undefined {
  if (first?.kind !== "fixed")
    return "would answer in place of every collection. Put it into a folder with a name of its own."
  if (isApiPath(first.text)) return `is below "/${first.text}", which is a path of the API. Choose another.`
  if (!collections.has(first.text)) return undefined
  const name = `the collection "${first.text}"`
  if (second === undefined) return `is the path of ${name}. Choose another.`
  if (second.kind !== "fixed")
    return `would answer in place of the records of ${name}. Put another segment before the parameter.`
  return RESERVED_IDS.has(second.text) ? `is a path of ${name}. Choose another.` : undefined
}

function findLeafProblem(segments: readonly Segment[]): string | undefined {
  const leaf = segments.find((segment) => segment.kind === "fixed" && ROUTE_LEAVES.has(segment.text))
  return leaf?.kind === "fixed"
    ? `has a part "${leaf.text}", which the client could not call: client.routes.….${leaf.text} means something else. Rename it.`
    : undefined
}
