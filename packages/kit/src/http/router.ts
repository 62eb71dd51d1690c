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
    const matching = patterns.filter((pattern) => matches(pattern, segments))
    const best = matching.filter((pattern) => pattern.variables === matching[0]?.variables)
    const pattern = best.find(({ endpoint }) => endpoint.method === method)
    if (pattern) return { endpoint: pattern.endpoint, params: readParams(pattern, segments) }
    if (best.length === 0) throw new ApiError("NOT_FOUND", { message: "There is no such path." })
    throw methodNotAllowed(best)
  }
}

interface Pattern {
  readonly endpoint: Endpoint
  /** A name with a colon stands for any segment. */
  readonly segments: readonly string[]
  readonly variables: number
}

function compilePattern(endpoint: Endpoint): Pattern {
  const segments = endpoint.path.slice(1).split("/")
  return { endpoint, segments, variables: segments.filter(isVariable).length }
}

function isVariable(segment: string): boolean {
  return segment.startsWith(":")
}

function splitPath(path: string): string[] {
  return path.slice(1).split("/").map(decodeSegment)
}

function decodeSegment(segment: string): string {
  if (!segment.includes("%")) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    throw new ApiError("BAD_REQUEST", { message: "The path is not percent-encoded correctly." })
  }
}

function matches({ segments: pattern }: Pattern, segments: readonly string[]): boolean {
  if (pattern.length !== segments.length) return false
  return pattern.every((expected, index) =>
    isVariable(expected) ? segments[index] !== "" : expected === segments[index],
  )
}

function readParams(pattern: Pattern, segments: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {}
  for (const [index, name] of pattern.segments.entries()) {
    if (isVariable(name)) params[name.slice(1)] = segments[index] ?? ""
  }
  return params
}

function methodNotAllowed(patterns: readonly Pattern[]): ApiError {
  const methods = patterns.map(({ endpoint }) => endpoint.method)
  // Whoever answers GET answers HEAD too.
  const allow = [...methods, ...(methods.includes("GET") ? ["HEAD"] : [])].sort()
  return new ApiError("METHOD_NOT_ALLOWED", { message: `This path takes ${allow.join(", ")}.`, context: { allow } })
}
