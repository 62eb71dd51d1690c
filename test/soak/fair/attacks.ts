import { setTimeout as wait } from "node:timers/promises"
import { type Call, Caller } from "./caller.ts"
import { BOOKS, bookId } from "./library.ts"

interface Target {
  /** The address of the app. */
  readonly url: string
  /** Ends the attack. */
  readonly signal: AbortSignal
  /** Each answer; 0 is a connection that was closed. */
  readonly count: (status: number, bytes?: number) => void
}

/** Goes on until it is ended. */
type Attack = (target: Target) => Promise<unknown>

// Different from the addresses of the other callers. Sign-ins come from many addresses, each up to its limit.
const ADDRESS = "127.0.0.2"
const SIGN_IN_ADDRESSES = "127.0.3."

const QUERY_CONNECTIONS = 12
const CLOSED_AFTER_MS = 100
const WITH_CONNECTIONS = 4
const WITH_LIMITS = [1_000, 400, 200, 100, 50]
const BULK_CONNECTIONS = 2
const MB = 1024 * 1024
const BULK_BYTES = [15.7 * MB, 3.9 * MB, 0.97 * MB, 16.5 * MB]
const BULK_ROWS = 10_000
// The allowed bulk updates write these records, which no other caller reads.
const VICTIMS_FROM = 2_000
const NESTED_CONNECTIONS = 12
const NESTED_RECORDS = 1_000
const PATIENCE_MS = 60_000
const STREAMS = 10
const TOPICS_PER_STREAM = 100
const TOPIC_LIMIT = 1_000
const WRITE_EVERY_MS = 100
const REFUSED_PAUSE_MS = 50
const SIGN_INS = 50

/** The attacks of one anonymous caller, by the name of the part. */
export const ATTACKS: Readonly<Record<string, Attack>> = Object.freeze({
  "queries-closed": closeQueries,
  queries: leaveQueries,
  with: readMost,
  bulk: sendBulk,
  nested: createNested,
  topics: followTopics,
  "sign-ins": signIn,
})

const everyReview = (where: object) => ({ reviews: { every: where } })

/** Three nested `every` over 3,000 books and 150,000 reviews: few bytes, and minutes of work. */
const QUERY = JSON.stringify({
  where: everyReview({ book: everyReview({ book: everyReview({ stars: { gte: 1 } }) }) }),
  limit: 1,
})

/** Closes sockets before the answer, again and again. */
function closeQueries(target: Target) {
  return repeat(QUERY_CONNECTIONS, target, async (caller) => {
    const leaving = AbortSignal.any([target.signal, AbortSignal.timeout(CLOSED_AFTER_MS)])
    const answer = await caller.swallow({ method: "POST", path: "/books/query", body: QUERY }, leaving)
    target.count(answer.status)
    await pauseIfRefused(answer, target)
  })
}

/** Sends the same queries, and leaves the sockets open. */
function leaveQueries(target: Target) {
  return repeat(QUERY_CONNECTIONS, target, async (caller) => {
    const answer = await caller.swallow({ method: "POST", path: "/books/query", body: QUERY }, target.signal)
    target.count(answer.status)
    await pauseIfRefused(answer, target)
  })
}

/** Reads the largest answer that the server gives; if it is refused, requests a smaller one. */
function readMost(target: Target) {
  let step = 0
  return repeat(WITH_CONNECTIONS, target, async (caller) => {
    const limit = WITH_LIMITS[step] ?? 1
    const nested = { reviews: { limit: 49, with: { book: { with: { reviews: { limit: 1 } } } } } }
    const body = JSON.stringify({ limit, with: nested, total: false })
    const answer = await caller.swallow({ method: "POST", path: "/books/query", body }, patience())
    target.count(answer.status, answer.bytes)
    if (answer.status === 400 && limit === WITH_LIMITS[step]) step = Math.min(step + 1, WITH_LIMITS.length - 1)
    await pauseIfRefused(answer, target)
  })
}

/** Sends bodies of every size, with and without the right to write. */
function sendBulk(target: Target) {
  const calls = bulkCalls()
  let next = 0
  return repeat(BULK_CONNECTIONS, target, async (caller) => {
    const call = calls[next++ % calls.length]
    if (call) target.count((await caller.swallow(call, patience())).status)
  })
}

function bulkCalls(): Call[] {
  const sealed = BULK_BYTES.map((bytes) => ({ path: "/vault/update-batch", body: bulkBody(bytes, unknownId) }))
  const unknown = BULK_BYTES.map((bytes) => ({ path: "/books/update-batch", body: bulkBody(bytes, unknownId) }))
  const known = { path: "/books/update-batch", body: bulkBody(0.97 * MB, victimId, BOOKS - VICTIMS_FROM) }
  return [...sealed, known, ...unknown, known].map((call) => ({ method: "POST", ...call }))
}

function bulkBody(bytes: number, idOf: (index: number) => string, rows: number = BULK_ROWS) {
  const frame = JSON.stringify({ id: bookId(1), data: { note: "" } }).length + 1
  const note = "n".repeat(Math.max(0, Math.floor(bytes / rows) - frame))
  const updates = Array.from({ length: rows }, (_, index) => ({ id: idOf(index), data: { note } }))
  return Buffer.from(JSON.stringify({ updates }))
}

function victimId(index: number) {
  return bookId(VICTIMS_FROM + 1 + index)
}

function unknownId(index: number) {
  return bookId(BOOKS + 1 + index)
}

function createNested(target: Target) {
  const create = Array.from({ length: NESTED_RECORDS }, (_, index) => ({ stars: 1 + (index % 5), text: "Nested" }))
  const body = Buffer.from(JSON.stringify({ title: "Nested", reviews: { create } }))
  return repeat(NESTED_CONNECTIONS, target, async (caller) => {
    const answer = await caller.swallow({ method: "POST", path: "/books", body }, patience())
    target.count(answer.status)
    await pauseIfRefused(answer, target)
  })
}

/** Subscribes to many different topics, each of which is affected by every write. */
async function followTopics(target: Target) {
  const streams = Array.from({ length: STREAMS }, (_, stream) =>
    repeat(1, target, async (caller) => {
      const body = JSON.stringify({ topics: topicsOf(stream) })
      const answer = await caller.swallow({ method: "POST", path: "/realtime", body }, target.signal)
      target.count(answer.status, answer.bytes)
      await pause(REFUSED_PAUSE_MS, target)
    }),
  )
  let pages = 0
  const writes = repeat(1, target, async (caller) => {
    const body = JSON.stringify({ stars: 1 + (pages++ % 5) })
    const path = `/reviews/${bookId(1 + (pages % BOOKS)).replace("-8000-", "-9000-")}`
    target.count((await caller.swallow({ method: "PATCH", path, body }, target.signal)).status)
    await pause(WRITE_EVERY_MS, target)
  })
  await Promise.all([...streams, writes])
}

function topicsOf(stream: number) {
  return Array.from({ length: TOPICS_PER_STREAM }, (_, topic) => ({
    id: `${topic}`,
    resourceType: "collection",
    resource: "reviews",
    where: { stars: { gte: 1 }, text: { ne: `${stream} ${topic}` } },
    limit: TOPIC_LIMIT,
  }))
}

let signInAddress = 0

/** Tries to sign in as often as one address may, then continues with the next address. */
async function signIn(target: Target) {
  while (!target.signal.aborted) {
    const caller = new Caller(target.url, `${SIGN_IN_ADDRESSES}${2 + (signInAddress++ % 250)}`)
    const attempts = Array.from({ length: SIGN_INS }, async (_, index) => {
      const body = JSON.stringify({ email: `nobody-${index}@example.com`, password: "not the password" })
      const answer = await caller.swallow({ method: "POST", path: "/auth/sign-in/email", body }, target.signal)
      target.count(answer.status)
    })
    await Promise.all(attempts)
    caller.close()
  }
}

/** Opens this many connections; each repeats the request until the attack ends. */
async function repeat(connections: number, { url, signal }: Target, ask: (caller: Caller) => Promise<unknown>) {
  const caller = new Caller(url, ADDRESS)
  const loop = async () => {
    while (!signal.aborted) await ask(caller)
  }
  await Promise.all(Array.from({ length: connections }, loop))
  caller.close()
}

/** Lets a request finish even if the attack ends: otherwise a slow machine would never see a request complete. */
function patience() {
  return AbortSignal.timeout(PATIENCE_MS)
}

/** A refusal costs the server almost nothing; thousands of refusals per second would be a different attack. */
async function pauseIfRefused({ status }: { status: number }, target: Target) {
  if (status >= 400) await pause(REFUSED_PAUSE_MS, target)
}

async function pause(ms: number, { signal }: Target) {
  await wait(ms, undefined, { signal }).catch(() => {})
}
