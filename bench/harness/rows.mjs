import { AUTHORS, POSTS, post } from "../workload.mjs"
import { SESSION_COOKIE } from "./seeded-session.mjs"
import { authorId, draw, postId } from "./seeded-values.mjs"

/**
 * @typedef {{ method: string, path: string, headers?: Record<string, string>, body?: object }} Call
 * @typedef {"kit" | "raw"} Side
 * @typedef {Record<Side | "route" | "live", number>} Ports of the servers; `route` is the raw one that answers the row of that name,
 *   `live` the raw one of the live rows
 * @typedef {{ name: string, kit: (index: number) => Call, raw: (index: number) => Call, unequal: string[],
 *   isOwn?: boolean, isRoute?: boolean, rawIndex?: string, live?: "fan-out" | "writes" }} Row
 *   `unequal` names the columns that each side fills by itself; where `isOwn`, kit answers the calls of both sides; a row
 *   that `isRoute` asks no database; `rawIndex` is an index that the raw database has for this row; a row that is `live`
 *   is measured by `measure-live-row.mjs`.
 */

const LIMIT = 20
// Readers open few pages; deep offsets would measure only PostgreSQL.
const PAGES = 10
const MAX_VIEWS = 1_000_000
const WRITE_ID = "7f3c9c1e-5d0a-4f6e-9d55-1f0a3b6c2e84"

const KIT_FILTER = "where[status]=published&with[author][columns][name]=true&with[author][columns][email]=true"
const RAW_FILTER = "status=published"

/** The measured rows, reads before writes: a write must not change the result of a read. @type {readonly Row[]} */
export const ROWS = Object.freeze([
  { name: "get", kit: get, raw: get, unequal: [] },
  { name: "get signed in", kit: signedIn(get), raw: get, unequal: [], isOwn: true },
  { name: "list", kit: list, raw: list, unequal: [] },
  { name: "filtered", kit: filtered(KIT_FILTER), raw: filtered(RAW_FILTER), unequal: [] },
  { name: "get extended", kit: extended(get), raw: get, unequal: [] },
  { name: "list extended", kit: extended(list), raw: list, unequal: [] },
  { name: "filtered extended", kit: extended(filtered(KIT_FILTER)), raw: filtered(RAW_FILTER), unequal: [] },
  {
    name: "filtered, index on both",
    kit: filtered(KIT_FILTER),
    raw: filtered(RAW_FILTER),
    unequal: [],
    rawIndex: '(status, "createdAt" desc, id desc)',
  },
  { name: "get extended, of plain", kit: extended(get), raw: get, unequal: [], isOwn: true },
  { name: "list extended, of plain", kit: extended(list), raw: list, unequal: [], isOwn: true },
  {
    name: "filtered extended, of plain",
    kit: extended(filtered(KIT_FILTER)),
    raw: filtered(KIT_FILTER),
    unequal: [],
    isOwn: true,
  },
  { name: "route", kit: ping, raw: ping, unequal: [], isRoute: true },
  { name: "create", kit: create, raw: create, unequal: ["id", "createdAt", "updatedAt"] },
  { name: "patch", kit: patch, raw: patch, unequal: ["updatedAt"] },
  { name: "patch named", kit: named(patch), raw: patch, unequal: ["updatedAt"], isOwn: true },
  { name: "live fan-out", kit: create, raw: create, unequal: [], live: "fan-out" },
  { name: "live writes", kit: create, raw: create, unequal: [], live: "writes" },
])

/** Returns the port of each side for a row. @param {Row} row @param {Ports} ports @returns {Record<Side, number>} */
export function portsOf({ isOwn = false, isRoute = false }, { kit, raw, route }) {
  if (isOwn) return { kit, raw: kit }
  return { kit, raw: isRoute ? route : raw }
}

/** @param {string} name */
export function findRow(name) {
  const row = ROWS.find((known) => known.name === name)
  if (row === undefined) throw new Error(`There is no row "${name}".`)
  return row
}

/** @param {number} index @returns {Call} */
function get(index) {
  return { method: "GET", path: `/posts/${postId(draw(index, POSTS))}` }
}

/** @param {number} index @returns {Call} */
function list(index) {
  return { method: "GET", path: `/posts?limit=${LIMIT}${offset(index)}` }
}

/** @param {string} filter @returns {(index: number) => Call} */
function filtered(filter) {
  return (index) => ({ method: "GET", path: `/posts?${filter}&limit=${LIMIT}${offset(index)}` })
}

/** @returns {Call} */
function ping() {
  return { method: "GET", path: "/ping" }
}

/** @param {number} index */
function offset(index) {
  const page = draw(index, PAGES)
  return page === 0 ? "" : `&offset=${page * LIMIT}`
}

/** @param {(index: number) => Call} call @returns {(index: number) => Call} */
function extended(call) {
  return (index) => ({ ...call(index), headers: { "x-extendedjson": "1" } })
}

/** @param {(index: number) => Call} call @returns {(index: number) => Call} */
function signedIn(call) {
  return (index) => ({ ...call(index), headers: { cookie: SESSION_COOKIE } })
}

/** @param {(index: number) => Call} call @returns {(index: number) => Call} */
function named(call) {
  return (index) => ({ ...call(index), headers: { "x-kit-write": WRITE_ID } })
}

/** @param {number} index @returns {Call} */
function create(index) {
  return { method: "POST", path: "/posts", body: post(POSTS + index, authorId(draw(index, AUTHORS))) }
}

/** @param {number} index @returns {Call} */
function patch(index) {
  return { ...get(index), method: "PATCH", body: { views: draw(index, MAX_VIEWS) } }
}
