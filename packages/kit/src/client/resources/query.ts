import { isPlainObject, stringifyQuery } from "../../wire/codecs/query-string.ts"
import { whereForQuery } from "./where-for-query.ts"

/** The options of an operation as a query string with its question mark; empty when there is nothing to say. */
export function queryOf(options: object = {}): string {
  return queryText(optionsForQuery(options, ""))
}

/** The members as a query string with its question mark. */
export function queryText(members: Record<string, unknown>): string {
  const query = stringifyQuery(members)
  return query === "" ? "" : `?${query}`
}

// Servers and proxies in between take longer ones, but not all of them do.
const MAX_QUERY_CHARACTERS = 8_192
// What the server refuses as nested too deep in a query string, though not in a body.
const TOO_DEEP = /(?:\[[^[\]]*\]){20}/

/** Whether a URL can hold the query string. */
export function fitsUrl(query: string): boolean {
  return query.length <= MAX_QUERY_CHARACTERS && !TOO_DEEP.test(query)
}

/** The options as a JSON body. As from a query string, whatever is undefined or null is left out, except in a filter. */
export function bodyOf(options: object): object {
  const given = Object.entries(options).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(
    given.map(([name, value]) => [name, name !== "where" && isPlainObject(value) ? bodyOf(value) : value]),
  )
}

function optionsForQuery(options: object, path: string): Record<string, unknown> {
  // An option that is undefined is an option that is not given.
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
  if ("where" in given) given["where"] = whereForQuery(given["where"], `${path}where`)
  if (isPlainObject(given["with"])) given["with"] = relationsForQuery(given["with"], `${path}with`)
  return given
}

function relationsForQuery(relations: object, path: string): Record<string, unknown> {
  const entries = Object.entries(relations).map(([name, value]) => [name, relationForQuery(value, `${path}.${name}.`)])
  return Object.fromEntries(entries)
}

// A relation without options must be asked for in words, or it would not be written at all.
function relationForQuery(value: unknown, path: string): unknown {
  if (!isPlainObject(value)) return value
  const options = optionsForQuery(value, path)
  return stringifyQuery(options) === "" ? true : options
}
