// Reads what a topic shows with an ordinary request.

import { isDeepStrictEqual } from "node:util"
import { headersOf, type Watched } from "./watcher.ts"

export type Caller = { cookie?: string | undefined; isExtended?: boolean }

interface Found {
  readonly status: number
  readonly text: string
  /** The data that the topic should have, if the status is 200. */
  readonly fresh?: any
  /** The hash of the data, if the answer is the data. */
  readonly hash?: string | undefined
}

/**
 * A count is compared with the total of a list, and a record with the only one of a list, so that the topic and the
 * request are not read by the same code. An aggregate is compared with the same aggregate.
 */
export async function findTopic(url: string, caller: Caller, topic: Record<string, any>): Promise<Found> {
  const { resourceType, resource, read } = topic
  const { options, dataIn } = findOf(topic)
  const headers = { ...headersOf(caller), "x-kit-hash": "1" }
  const body = JSON.stringify(caller.isExtended ? { json: options } : options)
  const response =
    resourceType === "collection"
      ? await fetch(url + pathOf(topic), { method: "POST", headers, body })
      : await fetch(`${url}/globals/${resource}?${new URLSearchParams(inBrackets(options))}`, { headers })
  const { status } = response
  const text = await response.text()
  if (status !== 200) return { status, text }
  const answer = JSON.parse(text)
  if (["count", "record"].includes(read?.operation)) return { status, text, fresh: dataIn(plainValue(answer)) }
  return { status, text, fresh: answer, hash: response.headers.get("x-kit-hash") ?? "none" }
}

export function shows({ data, hash }: Watched, found: Pick<Found, "fresh" | "hash">): boolean {
  if (found.hash === undefined) return isDeepStrictEqual(plainValue(data), found.fresh)
  return hash === found.hash && isDeepStrictEqual(data, found.fresh)
}

/** Returns the path to which the options of `findOf` are sent for a topic on a collection. */
export function pathOf({ resource, read }: Record<string, any>): string {
  return read?.operation === "aggregate" ? `/_kit/aggregate/${resource}` : `/${resource}/query`
}

/** Returns the value in extended JSON, and any other value as it is. */
function plainValue(data: any): any {
  return typeof data === "object" && data !== null && "json" in data ? data.json : data
}

/**
 * Returns the options of a `find` that reads what a topic on a collection shows, and a function that returns the data
 * of the topic from the answer to this `find`.
 */
export function findOf({ resourceType: _kind, resource: _resource, read = {}, ...topic }: Record<string, any>): {
  options: Record<string, any>
  dataIn: (answer: any) => any
} {
  const { operation, id, ...more } = read
  const options = { ...topic, ...more }
  if (operation === undefined || operation === "aggregate") return { options, dataIn: (answer) => answer }
  // These options have no effect on a count or on one record.
  const { offset: _offset, page: _page, total: _total, max, ...rest } = options
  if (operation === "count") {
    const total = max === undefined ? true : { max }
    return { options: { ...rest, limit: 1, total }, dataIn: ({ totalDocs }) => ({ count: totalDocs }) }
  }
  const where = rest["where"] ? { AND: [{ id }, rest["where"]] } : { id }
  return { options: { ...rest, where, limit: 1 }, dataIn: ({ docs }) => docs[0] ?? null }
}

/** Returns the options of a read as the pairs of a query string. */
function inBrackets(options: object, path: (name: string) => string = (name) => name): [string, string][] {
  return Object.entries(options).flatMap(([name, value]) => {
    if (typeof value !== "object" || value === null) return [[path(name), String(value)]]
    // A query string cannot express an empty object.
    if (Object.keys(value).length === 0) return [[path(name), "true"]]
    return inBrackets(value, (inner) => `${path(name)}[${inner}]`)
  })
}
