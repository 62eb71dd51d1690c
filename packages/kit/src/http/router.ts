import { ApiError } from "../wire/api-error.ts"
import type { Endpoint } from "./endpoint.ts"

export interface Route {
  readonly endpoint: Endpoint
  readonly params: Readonly<Record<string, string>>
}

export type Router = (method: string, path: string) => Route

/** Finds the endpoint of a path. A fixed segment wins over a variable one. */
export function createRouter(endpoints: readonly Endpoint[]): Router {
  const patterns = endpoints.map(compilePattern).sort((left, right) => left.variables - right.variables)
  return (method, path) => {
    const segments = splitPath(path)
    const first = patterns.find((pattern) => matches(pattern, segments))
    if (first === undefined) throw new ApiError("NOT_FOUND", { message: "There is no such path." })
    const isRival = (pattern: Pattern) => pattern.variables === first.variables && matches(pattern, segments)
    const pattern = patterns.find((candidate) => candidate.endpoint.method === method && isRival(candidate))
    if (pattern === undefined) throw methodNotAllowed(patterns.filter(isRival))
    return { endpoint: pattern.endpoint, params: readParams(pattern, segments) }
  }
}

interface Pattern {
  readonly endpoint: Endpoint
  /** The name of a variable segment, or undefined where the segment is fixed. */
  readonly names: readonly (string | undefined)[]
  readonly segments: readonly string[]
  readonly variables: number
}

function compilePattern(endpoint: Endpoint): Pattern {
  const segments = endpoint.path.slice(1).split("/")
  const names = segments.map((segment) => (segment.startsWith(":") ? segment.slice(1) : undefined))
  return { endpoint, names, segments, variables: names.filter((name) => name !== undefined).length }
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

function matches({ segments: pattern, names }: Pattern, segments: readonly string[]): boolean {
  if (pattern.length !== segments.length) return false
  return pattern.every((expected, index) => (names[index] ? segments[index] !== "" : expected === segments[index]))
}

function readParams({ names }: Pattern, segments: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {}
  for (const [index, name] of names.entries()) if (name) params[name] = segments[index] ?? ""
  return params
}

function methodNotAllowed(patterns: readonly Pattern[]): ApiError {
  const methods = patterns.map(({ endpoint }) => endpoint.method)
  // Whoever answers GET answers HEAD too.
  const allow = [...methods, ...(methods.includes("GET") ? ["HEAD"] : [])].sort()
  return new ApiError("METHOD_NOT_ALLOWED", { message: `This path takes ${allow.join(", ")}.`, context: { allow } })
}
