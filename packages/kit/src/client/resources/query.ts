import { isPlainObject, stringifyQuery } from "../../wire/codecs/query-string.ts"
import { CURSOR_OPTIONS } from "../../wire/options/cursor-options.ts"
import { EMPTY, whereForQuery } from "./where-for-query.ts"

/**
 * Serializes the options of an operation as a query string with a leading question mark; empty if there are no options.
 */
export function queryOf(options: object = {}): string {
  return queryText(optionsForQuery(options, ""))
}

/**
 * Serializes an object's properties as a query string with a leading question mark; empty if there are no properties.
 */
export function queryText(members: Record<string, unknown>): string {
  const query = stringifyQuery(members)
  return query === "" ? "" : `?${query}`
}

// The longest query string that is sent in a URL. Many servers and proxies accept longer URLs, but not all of them.
const MAX_QUERY_CHARACTERS = 8_192
// Matches a query string with 20 levels of nesting. The server rejects this depth in a query string, but not in a body.
const TOO_DEEP = /(?:\[[^[\]]*\]){20}/

/** True if the query string is short and flat enough to be sent in a URL. */
export function fitsUrl(query: string): boolean {
  return query.length <= MAX_QUERY_CHARACTERS && !TOO_DEEP.test(query)
}

/**
 * Returns the options of an operation as a JSON body. Options that are undefined or null are left out, as in a query
 * string, except cursors that are null. A filter is kept unchanged.
 */
export function bodyOf(options: object): object {
  const given = Object.entries(definedOnly(options)).filter(
    ([name, value]) => value !== null || CURSOR_OPTIONS.includes(name),
  )
  return Object.fromEntries(
    given.map(([name, value]) => [name, name !== "where" && isPlainObject(value) ? bodyOf(value) : value]),
  )
}

/** Returns the members of an object that are not undefined, which counts as not set. */
export function definedOnly(members: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}

function optionsForQuery(options: object, path: string): Record<string, unknown> {
  const given = definedOnly(options)
  // A query string cannot hold null. For a cursor, null means the beginning or the end of the list.
  for (const name of CURSOR_OPTIONS) if (given[name] === null) given[name] = ""
  if ("where" in given) given["where"] = whereForQuery(given["where"], `${path}where`)
  if (isPlainObject(given["with"])) given["with"] = relationsForQuery(given["with"], `${path}with`)
  return given
}

function relationsForQuery(relations: object, path: string): Record<string, unknown> {
  const entries = Object.entries(relations).map(([name, value]) => [name, relationForQuery(value, `${path}.${name}.`)])
  return Object.fromEntries(entries)
}

// Options of a relation whose own members are no relations.
const PLAIN_OPTIONS: readonly string[] = ["columns", "orderBy", "where", "with"]

// Returns the options of one relation in `with` or, for a field with relations in its value, the names that lead to
// them. Without any, it returns an empty string, because an empty object would vanish from the query string.
function relationForQuery(value: unknown, path: string): unknown {
  if (!isPlainObject(value)) return value
  const options = Object.entries(optionsForQuery(value, path)).map(([name, inner]) =>
    PLAIN_OPTIONS.includes(name) ? [name, inner] : [name, relationForQuery(inner, `${path}${name}.`)],
  )
  const given = Object.fromEntries(options)
  return stringifyQuery(given) === "" ? EMPTY : given
}
