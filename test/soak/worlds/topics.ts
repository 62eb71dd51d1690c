// Random live queries, and the reads that have the same results.

import { findOf, pathOf } from "../live/find-topic.ts"
import { Aggregates } from "./aggregates.ts"
import type { Caller } from "./callers.ts"
import { LOCALES } from "./model.ts"
import { queryString, type Reads } from "./reads.ts"
import type { Request } from "./world.ts"

type Options = Record<string, any>

const TOPICS = ["books", "books", "books", "tasks", "tasks", "tasks", "authors", "tags", "editions", "teams", "media"]
const CARRIED = ["where", "with", "orderBy", "limit", "offset"]
const NAMED_IDS = ["books", "tasks", "authors", "tags", "media"]

/** Returns a live query, mostly a valid one. Half of them have options that only watched reads have. */
export function randomTopic(reads: Reads, caller: Caller): Options {
  const { chance } = reads
  reads.caller = caller
  const locale = chance.is(40) ? { locale: chance.of([...LOCALES, "*"]) } : {}
  if (chance.is(6)) return { resourceType: "global", resource: "home", with: { lead: true }, ...locale }
  if (chance.is(6)) return { resourceType: "global", resource: "settings", with: { task: true }, ...locale }
  const name = chance.of(TOPICS)
  const { locale: _locale, ...options } = reads.options(name)
  if (chance.is(12)) return topicOf(name, new Aggregates(reads).options(name), { operation: "aggregate" })
  const topic = { resourceType: "collection", resource: name, ...picked(options, true), ...locale }
  return chance.is(50) ? { ...topic, read: readOf(reads, name, picked(options, false)) } : topic
}

/** Returns the live query of a read of the collection with any options. */
export function topicOf(resource: string, { locale, ...options }: Options, more: Options = {}): Options {
  return {
    ...{ resourceType: "collection", resource, ...picked(options, true), ...(locale && { locale }) },
    read: { ...picked(options, false), ...more },
  }
}

/** Returns the options of a topic, or all others. */
function picked(options: Options, isCarried: boolean) {
  return Object.fromEntries(
    Object.entries(options).filter(([name, value]) => CARRIED.includes(name) === isCarried && (!isCarried || value)),
  )
}

function readOf({ chance, house }: Reads, name: string, { groupBy, ...options }: Options) {
  if (chance.is(20)) return { operation: "count", ...options, ...(chance.is(30) && { max: 2 + chance.below(8) }) }
  if (NAMED_IDS.includes(name) && chance.is(25)) return { operation: "record", id: house.id(name), ...options }
  return groupBy === undefined ? options : { ...options, groupBy }
}

/** Returns the read that corresponds to a topic. */
export function requestOf(topic: Options, caller: Caller): Request {
  const { options } = findOf(topic)
  if (topic["resourceType"] === "collection") return { caller, path: pathOf(topic), body: options }
  return { caller, path: `/globals/${topic["resource"]}?${queryString(options)}` }
}

/** Returns the JSON that the topic should have; undefined if it should have ended with an error. */
export function shownBy(topic: Options, { status, text }: { status: number; text: string }): string | undefined {
  if (status !== 200) return undefined
  return ["count", "record"].includes(topic["read"]?.operation)
    ? JSON.stringify(findOf(topic).dataIn(JSON.parse(text)))
    : text
}
