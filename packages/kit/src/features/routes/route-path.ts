import { kebabCase } from "../../wire/paths/route-names.ts"

/** A segment of a custom route's URL path. */
export type Segment = FixedSegment | VariableSegment

interface FixedSegment {
  readonly kind: "fixed"
  readonly text: string
}

interface VariableSegment {
  readonly kind: "param" | "rest"
  readonly name: string
}

const FIXED = /^[A-Za-z0-9][A-Za-z0-9._~-]*$/
const VARIABLE = /^\[(\.\.\.)?([^[\]]*)\]$/
const NAME = /^[a-zA-Z][a-zA-Z0-9]*$/

type ParsedPath = { readonly segments: readonly Segment[] } | { readonly problem: string }

/**
 * Parses a file path below `routes/`, without the extension. Returns the URL path's segments, or the problem with the
 * path.
 */
export function parseRoutePath(path: string): ParsedPath {
  const names = path.replace(/(^|\/)index$/, "").split("/")
  if (names[0] === "")
    return { problem: "it would answer at the mount path itself. Call the file something other than index." }
  const problem = names.map(findNameProblem).find((found) => found !== undefined)
  if (problem !== undefined) return { problem }
  const segments = names.map(toSegment)
  const clash = findVariableProblem(segments)
  return clash === undefined ? { segments } : { problem: clash }
}

function findNameProblem(name: string): string | undefined {
  const variable = VARIABLE.exec(name)?.[2]
  if (variable === undefined) return FIXED.test(name) ? undefined : notInUrl(name)
  if (NAME.test(variable)) return undefined
  return `"${name}" does not name a parameter. Use letters and digits, starting with a letter: [team], [...rest].`
}

function notInUrl(name: string): string {
  return `"${name}" cannot be part of a URL. Use letters, digits, -, _ and ., or [name] for a segment that varies.`
}

function toSegment(name: string): Segment {
  const [, dots, variable] = VARIABLE.exec(name) ?? []
  if (variable === undefined) return { kind: "fixed", text: kebabCase(name) }
  return { kind: dots === undefined ? "param" : "rest", name: variable }
}

function findVariableProblem(segments: readonly Segment[]): string | undefined {
  const variables = segments.filter((segment) => segment.kind !== "fixed")
  const last = segments.at(-1)
  const rest = variables.find((segment) => segment.kind === "rest" && segment !== last)
  if (rest) return `[...${rest.name}] matches all segments that follow, so it has to be the last part of the path.`
  const twice = variables.find(({ name }, index) => variables.findIndex((other) => other.name === name) < index)
  return twice && `the parameter "${twice.name}" is used twice. Rename one of them.`
}

/** Returns the route's pattern for the router: `/teams/:team/*rest`. */
export function patternOf(segments: readonly Segment[]): string {
  return `/${segments.map(patternPart).join("/")}`
}

function patternPart(segment: Segment): string {
  if (segment.kind === "fixed") return segment.text
  return `${segment.kind === "rest" ? "*" : ":"}${segment.name}`
}

/** Returns the path as the argument of `route(…)`: `/teams/[team]/[...rest]`. */
export function pathOf(segments: readonly Segment[]): string {
  return `/${segments.map(pathPart).join("/")}`
}

function pathPart(segment: Segment): string {
  if (segment.kind === "fixed") return segment.text
  return segment.kind === "rest" ? `[...${segment.name}]` : `[${segment.name}]`
}

/**
 * Returns a string that is equal for two routes if they match the same URLs. The names of their parameters do not
 * matter.
 */
export function shapeOf(segments: readonly Segment[]): string {
  return segments
    .map((segment) => (segment.kind === "fixed" ? segment.text : segment.kind === "rest" ? "*" : ":"))
    .join("/")
}
