// Random live queries, and the reads that have the same results.
import { findOf } from "../live/find-topic.mjs"
import { LOCALES } from "./model.mjs"
import { queryString } from "./reads.mjs"

/** @typedef {Record<string, any>} Options */
/** @typedef {import("./callers.mjs").Caller} Caller */

const TOPICS = ["books", "books", "books", "tasks", "tasks", "tasks", "authors", "tags", "editions", "teams", "media"]
const CARRIED = ["where", "with", "orderBy", "limit", "offset"]
const NAMED_IDS = ["books", "tasks", "authors", "tags", "media"]

/**
 * Returns a live query, mostly a valid one. Half of them have options that only watched reads have.
 *
 * @param {import("./reads.mjs").Reads} reads
 * @param {Caller} caller
 * @returns {Options}
 */
export function randomTopic(reads, caller) {
  const { chance } = reads
  reads.caller = caller
  const locale = chance.is(40) ? { locale: chance.of([...LOCALES, "*"]) } : {}
  if (chance.is(6)) return { resourceType: "global", resource: "home", with: { lead: true }, ...locale }
  if (chance.is(6)) return { resourceType: "global", resource: "settings", with: { task: true }, ...locale }
  const name = chance.of(TOPICS)
  const { locale: _locale, ...options } = reads.options(name)
  const topic = { resourceType: "collection", resource: name, ...picked(options, true), ...locale }
  return chance.is(50) ? { ...topic, read: readOf(reads, name, picked(options, false)) } : topic
}

/** Returns the options of a topic, or all others. @param {Options} options @param {boolean} isCarried */
function picked(options, isCarried) {
  return Object.fromEntries(
    Object.entries(options).filter(([name, value]) => CARRIED.includes(name) === isCarried && (!isCarried || value)),
  )
}

/** @param {import("./reads.mjs").Reads} reads @param {string} name @param {Options} options */
function readOf({ chance, house }, name, { groupBy, ...options }) {
  if (chance.is(20)) return { operation: "count", ...options }
  if (NAMED_IDS.includes(name) && chance.is(25)) return { operation: "record", id: house.id(name), ...options }
  return groupBy === undefined ? options : { ...options, groupBy }
}

/** Returns the read that corresponds to a topic. @param {Options} topic @param {Caller} caller */
export function requestOf(topic, caller) {
  const { options } = findOf(topic)
  if (topic["resourceType"] === "collection") return { caller, path: `/${topic["resource"]}/query`, body: options }
  return { caller, path: `/globals/${topic["resource"]}?${queryString(options)}` }
}

/**
 * Returns the JSON that the topic should have; undefined if it should have ended with an error.
 *
 * @param {Options} topic
 * @param {{ status: number, text: string }} answer to the read of the topic
 * @returns {string | undefined}
 */
export function shownBy(topic, { status, text }) {
  if (status !== 200) return undefined
  return topic["read"]?.operation ? JSON.stringify(findOf(topic).dataIn(JSON.parse(text))) : text
}
