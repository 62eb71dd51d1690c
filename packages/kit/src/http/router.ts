import { ApiError } from "../wire/errors/api-error.ts"
import type { Endpoint, EndpointCall } from "./endpoint.ts"

export interface Route {
  readonly endpoint: Endpoint
  readonly params: Readonly<Record<string, string>>
}

/** Returns the path of a route as the log shows it, or undefined if the requested path does not exist. */
export function loggedPath({ endpoint, params }: Route): string | undefined {
  return endpoint.loggedPath ? endpoint.loggedPath(params) : endpoint.path
}

export type Router = (method: string, path: string) => Route

/** An existing path that may be suggested to a caller who requested an unknown path. */
export interface PathSuggestion {
  readonly path: string
  maySuggest(call: EndpointCall): Promise<boolean>
}

type FindSuggestions = (path: string) => readonly PathSuggestion[]

/**
 * Returns a router. At each path segment, a fixed name is preferred to a variable (`:id`), and a variable to a rest
 * (`*path`).
 */
export function createRouter(endpoints: readonly Endpoint[], findSuggestions: FindSuggestions = () => []): Router {
  const { fixed, root } = buildPathTree(endpoints)
  const takesGet = ({ path }: PathSuggestion) => {
    const found = matchPath(root, splitPath(path), 0)
    return found !== undefined && allowedMethods(found, "GET").length > 0
  }
  return (method, path) => {
    const leaf = fixed.get(path)
    if (leaf) return { endpoint: leaf.get(method)?.endpoint ?? refuseMethod([...leaf.keys()]), params: NO_PARAMS }
    const found = matchPath(root, splitPath(path), 0)
    const placed = found?.leaf.get(method)
    if (found && placed) return { endpoint: placed.endpoint, params: readParams(placed.paramNames, found.values) }
    const others = found ? allowedMethods(found, method) : []
    return others.length > 0 ? refuseMethod(others) : unknownPathRoute(findSuggestions(path).filter(takesGet))
  }
}

const NO_PARAMS: Route["params"] = Object.freeze({})

interface EndpointWithParams {
  readonly endpoint: Endpoint
  /** The names of the variable path segments, in the order of the path. */
  readonly paramNames: readonly string[]
}

/** The endpoints of one path, by HTTP method. */
type EndpointsByMethod = Map<string, EndpointWithParams>

interface PathNode {
  readonly fixed: Map<string, PathNode>
  variable: PathNode | undefined
  /** The endpoints whose path ends here with a rest (`*path`), which matches all remaining segments. */
  rest: EndpointsByMethod | undefined
  leaf: EndpointsByMethod | undefined
}

function buildPathTree(endpoints: readonly Endpoint[]) {
  const root = newPathNode()
  const fixed = new Map<string, EndpointsByMethod>()
  for (const endpoint of endpoints) {
    const segments = endpoint.path.slice(1).split("/")
    const paramNames = segments.filter(isVariable).map((segment) => segment.slice(1))
    const leaf = insertPath(root, segments)
    leaf.set(endpoint.method, { endpoint, paramNames })
    if (paramNames.length === 0) fixed.set(endpoint.path, leaf)
  }
  return { root, fixed }
}

function newPathNode(): PathNode {
  return { fixed: new Map(), variable: undefined, rest: undefined, leaf: undefined }
}

function isVariable(segment: string): boolean {
  return segment.startsWith(":") || segment.startsWith("*")
}

function insertPath(root: PathNode, segments: readonly string[]): EndpointsByMethod {
  let branch = root
  for (const segment of segments) {
    if (segment.startsWith("*")) {
      branch.rest ??= new Map()
      return branch.rest
    }
    branch = segment.startsWith(":") ? variableChild(branch) : fixedChild(branch, segment)
  }
  branch.leaf ??= new Map()
  return branch.leaf
}

function variableChild(branch: PathNode): PathNode {
  branch.variable ??= newPathNode()
  return branch.variable
}

function fixedChild(branch: PathNode, segment: string): PathNode {
  const next = branch.fixed.get(segment) ?? newPathNode()
  branch.fixed.set(segment, next)
  return next
}

interface PathMatch {
  readonly leaf: EndpointsByMethod
  /** The values of the variable path segments, in the order of the path. */
  readonly values: readonly string[]
}

// Finds the endpoints that match the path segments from index `at`. If the preferred branch leads to no match, the next
// branch is tried.
function matchPath(branch: PathNode, segments: readonly string[], at: number): PathMatch | undefined {
  const segment = segments[at]
  if (segment === undefined) return branch.leaf && { leaf: branch.leaf, values: [] }
  const next = branch.fixed.get(segment)
  const found = next && matchPath(next, segments, at + 1)
  return found ?? matchVariable(branch, segments, at)
}

function matchVariable({ variable, rest }: PathNode, segments: readonly string[], at: number): PathMatch | undefined {
  const segment = segments[at] ?? ""
  const found = variable && segment !== "" ? matchPath(variable, segments, at + 1) : undefined
  if (found) return { leaf: found.leaf, values: [segment, ...found.values] }
  const following = segments.slice(at)
  return rest && following.every(isRestSegment) ? { leaf: rest, values: [following.join("/")] } : undefined
}

// True if the segment may be part of a rest (`*path`). Empty segments may not, nor may "." and "..", which mean another
// folder in a file system.
function isRestSegment(segment: string): boolean {
  return segment !== "" && segment !== "." && segment !== ".."
}

function splitPath(path: string): string[] {
  const segments = path.slice(1).split("/")
  return path.includes("%") ? segments.map(decodeSegment) : segments
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw new ApiError("BAD_REQUEST", { message: "The path is not percent-encoded correctly." })
  }
}

// Returns the HTTP methods that the path takes with these values. A CORS preflight (OPTIONS) gets all methods, even if
// the path does not exist with these values: the request after the preflight then gets the 404.
function allowedMethods({ leaf, values }: PathMatch, asked: string): readonly string[] {
  const isThere = ({ endpoint, paramNames }: EndpointWithParams) =>
    endpoint.exists?.(readParams(paramNames, values)) ?? true
  return [...leaf].filter(([, placed]) => asked === "OPTIONS" || isThere(placed)).map(([method]) => method)
}

// Returns a route that throws the 404 error when it runs. The error suggests only paths that the caller may know of, so
// it cannot be thrown before the session has been read.
function unknownPathRoute(near: readonly PathSuggestion[]): Route {
  if (near.length === 0) throw noSuchPath()
  const refuse = async (call: EndpointCall): Promise<never> => {
    for (const { path, maySuggest } of near) if (await maySuggest(call)) throw noSuchPath(` Did you mean "${path}"?`)
    throw noSuchPath()
  }
  return { endpoint: { method: "GET", path: "/", loggedPath: () => undefined, run: refuse }, params: NO_PARAMS }
}

function noSuchPath(remedy = ""): ApiError {
  return new ApiError("NOT_FOUND", { message: `There is no such path.${remedy}` })
}

function refuseMethod(methods: readonly string[]): never {
  // HEAD is added, because every path that takes GET takes HEAD too.
  const allow = [...methods, ...(methods.includes("GET") ? ["HEAD"] : [])].sort()
  throw new ApiError("METHOD_NOT_ALLOWED", { message: `This path takes ${allow.join(", ")}.`, context: { allow } })
}

function readParams(names: readonly string[], values: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {}
  for (const [index, name] of names.entries()) params[name] = values[index] ?? ""
  return params
}
