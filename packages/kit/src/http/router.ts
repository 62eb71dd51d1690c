import { ApiError } from "../wire/errors/api-error.ts"
import type { Endpoint, EndpointCall } from "./endpoint.ts"

export interface Route {
  readonly endpoint: Endpoint
  readonly params: Readonly<Record<string, string>>
}

export type Router = (method: string, path: string) => Route

/** An existing path that the caller of an unknown path may have meant. */
export interface NearPath {
  readonly path: string
  mayBeTold(call: EndpointCall): boolean | Promise<boolean>
}

type FindNear = (path: string) => readonly NearPath[]

/** Creates a router. At each segment a fixed name wins over a variable (`:id`), and that over a rest (`*path`). */
export function createRouter(endpoints: readonly Endpoint[], findNear: FindNear = () => []): Router {
  const { fixed, root } = plant(endpoints)
  const leadsSomewhere = ({ path }: NearPath) => {
    const found = findLeaf(root, splitPath(path), 0)
    return found !== undefined && methodsOf(found, "GET").length > 0
  }
  return (method, path) => {
    const leaf = fixed.get(path)
    if (leaf) return { endpoint: leaf.get(method)?.endpoint ?? refuseMethod([...leaf.keys()]), params: NO_PARAMS }
    const found = findLeaf(root, splitPath(path), 0)
    const placed = found?.leaf.get(method)
    if (found && placed) return { endpoint: placed.endpoint, params: readParams(placed.names, found.values) }
    const others = found ? methodsOf(found, method) : []
    return others.length > 0 ? refuseMethod(others) : nowhere(findNear(path).filter(leadsSomewhere))
  }
}

const NO_PARAMS: Route["params"] = Object.freeze({})

interface PlacedEndpoint {
  readonly endpoint: Endpoint
  /** The names of the variable segments, in the order of the path. */
  readonly names: readonly string[]
}

/** The endpoints at the end of a path, by method. */
type Leaf = Map<string, PlacedEndpoint>

interface Branch {
  readonly fixed: Map<string, Branch>
  variable: Branch | undefined
  /** The endpoints that match all remaining segments. */
  rest: Leaf | undefined
  leaf: Leaf | undefined
}

function plant(endpoints: readonly Endpoint[]) {
  const root = newBranch()
  const fixed = new Map<string, Leaf>()
  for (const endpoint of endpoints) {
    const segments = endpoint.path.slice(1).split("/")
    const names = segments.filter(isVariable).map((segment) => segment.slice(1))
    const leaf = grow(root, segments)
    leaf.set(endpoint.method, { endpoint, names })
    if (names.length === 0) fixed.set(endpoint.path, leaf)
  }
  return { root, fixed }
}

function newBranch(): Branch {
  return { fixed: new Map(), variable: undefined, rest: undefined, leaf: undefined }
}

function isVariable(segment: string): boolean {
  return segment.startsWith(":") || segment.startsWith("*")
}

function grow(root: Branch, segments: readonly string[]): Leaf {
  let branch = root
  for (const segment of segments) {
    if (segment.startsWith("*")) {
      branch.rest ??= new Map()
      return branch.rest
    }
    branch = segment.startsWith(":") ? variableOf(branch) : fixedOf(branch, segment)
  }
  branch.leaf ??= new Map()
  return branch.leaf
}

function variableOf(branch: Branch): Branch {
  branch.variable ??= newBranch()
  return branch.variable
}

function fixedOf(branch: Branch, segment: string): Branch {
  const next = branch.fixed.get(segment) ?? newBranch()
  branch.fixed.set(segment, next)
  return next
}

interface Found {
  readonly leaf: Leaf
  /** The values of the variable segments. */
  readonly values: readonly string[]
}

// Backtracks: if the best branch has no match, the next best is tried.
function findLeaf(branch: Branch, segments: readonly string[], at: number): Found | undefined {
  const segment = segments[at]
  if (segment === undefined) return branch.leaf && { leaf: branch.leaf, values: [] }
  const next = branch.fixed.get(segment)
  const found = next && findLeaf(next, segments, at + 1)
  return found ?? findVariable(branch, segments, at)
}

function findVariable({ variable, rest }: Branch, segments: readonly string[], at: number): Found | undefined {
  const segment = segments[at] ?? ""
  const found = variable && segment !== "" ? findLeaf(variable, segments, at + 1) : undefined
  if (found) return { leaf: found.leaf, values: [segment, ...found.values] }
  const following = segments.slice(at)
  return rest && following.every(isName) ? { leaf: rest, values: [following.join("/")] } : undefined
}

// A rest must not contain empty segments, nor segments that mean another folder to a file system.
function isName(segment: string): boolean {
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

// A preflight (OPTIONS) gets all methods, even if nothing exists there: the request that follows gets the 404.
function methodsOf({ leaf, values }: Found, asked: string): readonly string[] {
  const isThere = ({ endpoint, names }: PlacedEndpoint) => endpoint.isThere?.(readParams(names, values)) ?? true
  return [...leaf].filter(([, placed]) => asked === "OPTIONS" || isThere(placed)).map(([method]) => method)
}

// The suggestion depends on the caller, so the 404 is thrown only after the session has been read.
function nowhere(near: readonly NearPath[]): Route {
  if (near.length === 0) throw noSuchPath()
  const refuse = async (call: EndpointCall): Promise<never> => {
    for (const { path, mayBeTold } of near) if (await mayBeTold(call)) throw noSuchPath(` Did you mean "${path}"?`)
    throw noSuchPath()
  }
  return { endpoint: { method: "GET", path: "an unknown path", run: refuse }, params: NO_PARAMS }
}

function noSuchPath(remedy = ""): ApiError {
  return new ApiError("NOT_FOUND", { message: `There is no such path.${remedy}` })
}

function refuseMethod(methods: readonly string[]): never {
  // Every path that takes GET takes HEAD too.
  const allow = [...methods, ...(methods.includes("GET") ? ["HEAD"] : [])].sort()
  throw new ApiError("METHOD_NOT_ALLOWED", { message: `This path takes ${allow.join(", ")}.`, context: { allow } })
}

function readParams(names: readonly string[], values: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {}
  for (const [index, name] of names.entries()) params[name] = values[index] ?? ""
  return params
}
