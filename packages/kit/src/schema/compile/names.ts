const NAME = /^[a-zA-Z][a-zA-Z0-9_]*$/
const MAX_IDENTIFIER = 63

// The first URL path segments of the API's own routes.
const API_PATHS: ReadonlySet<string> = new Set(["globals", "auth", "search", "realtime", "channels", "crdt"])
const RESERVED_RESOURCE_NAMES = new Set([...API_PATHS, "transaction", "health"])
const RESERVED_FIELD_NAMES = new Set([
  "id",
  "createdAt",
  "updatedAt",
  "deletedAt",
  "revision",
  "stage",
  "AND",
  "OR",
  "NOT",
])
// The names that a service cannot have, because the contexts of handlers, rules, hooks and jobs already have members
// with these names. `then` is reserved because a context with such a member would be treated as a promise.
const RESERVED_SERVICE_NAMES = new Set(
  "input payload params request session collections globals db queue channels email logger kv app transaction asSystem asUser touch publishedBy jobId attempt signal row data original operation id onAfterCommit dryRun locale stage event then".split(
    " ",
  ),
)
// The system columns that PostgreSQL adds to every table.
const SYSTEM_COLUMNS = new Set(["ctid", "tableoid", "xmin", "xmax", "cmin", "cmax"])
// The names of built-in members of JavaScript objects. As keys in a request they could reach an object's prototype.
const RESERVED_JAVASCRIPT_NAMES = new Set([
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "valueOf",
  "hasOwnProperty",
])

/** Returns why a collection or global may not have this name, or undefined if the name is valid. */
export function findResourceNameProblem(name: unknown): string | undefined {
  const problem = findNameProblem(name)
  if (problem !== undefined) return problem
  // In SQL, a name that starts with "pg_" could mean a PostgreSQL system table instead of this resource's table.
  if (/^pg_/i.test(String(name)))
    return `the name "${name}" starts with "pg_", which the database reserves. Choose another.`
  return RESERVED_RESOURCE_NAMES.has(String(name))
    ? `the name "${name}" is a path of the API. Choose another.`
    : undefined
}

/** True if all URL paths with this first segment belong to the API itself. */
export function isApiPath(segment: string): boolean {
  return API_PATHS.has(segment) || segment.startsWith("_")
}

/** Returns why a field may not have this name, or undefined if the name is valid. */
export function findFieldNameProblem(name: string): string | undefined {
  const problem = findNameProblem(name)
  if (problem !== undefined) return problem
  if (name.startsWith("version"))
    return `the name "${name}" starts with "version", which the version history uses. Choose another.`
  if (SYSTEM_COLUMNS.has(name)) return `the name "${name}" is reserved by the database. Choose another.`
  return RESERVED_FIELD_NAMES.has(name) ? `the name "${name}" is reserved by the server. Choose another.` : undefined
}

/** Returns why a service may not have this name, or undefined if the name is valid. */
export function findServiceNameProblem(name: string): string | undefined {
  const problem = findNameProblem(name)
  if (problem !== undefined) return problem
  if (!RESERVED_SERVICE_NAMES.has(name)) return undefined
  return `the context already has "${name}". Rename the file.`
}

/** Returns why no resource, field or part of an object may have this name, or undefined if the name is valid. */
export function findNameProblem(name: unknown): string | undefined {
  if (typeof name !== "string" || !NAME.test(name)) {
    return `"${name}" is not a name. Use letters, digits and _, starting with a letter.`
  }
  if (name.length > MAX_IDENTIFIER) return `the name "${name}" is longer than ${MAX_IDENTIFIER} characters. Shorten it.`
  return RESERVED_JAVASCRIPT_NAMES.has(name)
    ? `the name "${name}" is used by JavaScript itself. Choose another.`
    : undefined
}

/**
 * Returns a name for a table, constraint or index: the parts, joined by dots. The parts themselves contain no dots, so
 * different parts give different names. A name that is too long for PostgreSQL is cut and ends with a hash.
 */
export function databaseName(parts: readonly string[]): string {
  const name = parts.join(".")
  if (name.length <= MAX_IDENTIFIER) return name
  return `${name.slice(0, MAX_IDENTIFIER - 9)}_${hash(name)}`
}

// Returns the FNV-1a hash with 32 bits. It becomes part of a database name, so it must be the same in every process.
function hash(text: string): string {
  let state = 0x811c9dc5
  for (const character of text) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return (state >>> 0).toString(16).padStart(8, "0")
}
