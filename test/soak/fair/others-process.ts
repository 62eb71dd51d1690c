// The other callers, in their own process. It takes two messages: { begin: { url, seed, file } } and { end: true }.

import { setTimeout as wait } from "node:timers/promises"
import { type Call, Caller } from "./caller.ts"
import { BOOKS, bookId } from "./library.ts"

type Order = { url: string; seed: number; file: { path: string; text: string } }
/** True if the answer is the one that was asked for. */
type Check = (answer: any) => boolean

const CLIENTS = 8
// Each caller has its own address, and half of them are signed in.
const ADDRESSES = "127.0.2."
const PAUSE_MS = 20
const LIST = 20
const SHORT_LIST = 5
// Attacks change none of these books.
const OWN_BOOKS = 100

let isEnding = false
let running: Promise<unknown>[] = []
const callers: Map<string, Caller> = new Map()
const cookies: Map<string, string> = new Map()
let latencies: number[] = []
let statuses: Record<string, number> = {}
let wrong = 0

process.on("disconnect", () => process.exit())
process.on("message", async ({ begin }) => {
  if (begin) await start(begin)
  else await stop()
  process.send?.({ figures: { latencies, statuses, wrong } })
})

async function start(order: Order) {
  isEnding = false
  latencies = []
  statuses = {}
  wrong = 0
  const clients = Array.from({ length: CLIENTS }, (_, index) => index)
  for (const index of clients) await meet(order, index)
  running = clients.map((index) => run(order, index))
}

async function stop() {
  isEnding = true
  await Promise.all(running)
}

/** Connects a new client; every second one signs up. */
async function meet({ url }: Order, index: number) {
  const key = `${url} ${index}`
  if (callers.has(key)) return
  const caller = new Caller(url, `${ADDRESSES}${2 + index}`)
  callers.set(key, caller)
  if (index % 2 === 1) return
  const email = `other-${index}-${process.pid}-${callers.size}@example.com`
  const body = JSON.stringify({ name: "Other", email, password: "a password of the others" })
  const { status, headers } = await caller.ask({ method: "POST", path: "/auth/sign-up/email", body })
  if (status !== 200) throw new Error(`The experiment cannot begin: a sign-up answered ${status}.`)
  cookies.set(key, (headers["set-cookie"] ?? []).map((cookie) => cookie.split(";", 1)[0]).join("; "))
}

async function run(order: Order, index: number) {
  const key = `${order.url} ${index}`
  const caller = callers.get(key)
  const cookie = cookies.get(key)
  const below = seeded(order.seed + index)
  while (!isEnding) {
    const { isRight, ...call } = nextCall(below, { index, file: order.file })
    const sentAt = performance.now()
    const answer = await caller?.ask({ ...call, headers: cookie === undefined ? {} : { cookie } })
    latencies.push(performance.now() - sentAt)
    const status = answer?.status ?? 0
    statuses[status] = (statuses[status] ?? 0) + 1
    if (status === 200 && !passes(isRight, answer)) wrong += 1
    await wait(PAUSE_MS)
  }
}

function nextCall(
  below: (bound: number) => number,
  { index, file }: { index: number; file: Order["file"] },
): Call & { isRight: Check } {
  const number = 1 + index * OWN_BOOKS + below(OWN_BOOKS)
  const id = bookId(number)
  const choice = below(100)
  if (choice < 30) return { path: `/books/${id}`, isRight: (answer) => parse(answer).id === id }
  if (choice < 50) return { path: `/books?limit=${LIST}`, isRight: (answer) => parse(answer).docs.length === LIST }
  if (choice < 65) {
    const isRight = (answer: any) => {
      const { docs } = parse(answer)
      return docs.length === SHORT_LIST && docs.every(({ book }: any) => book === id)
    }
    return { path: `/reviews?where[book]=${id}&limit=${SHORT_LIST}`, isRight }
  }
  if (choice < 75) {
    const pages = below(BOOKS)
    const body = JSON.stringify({ pages })
    return { method: "PATCH", path: `/books/${id}`, body, isRight: (answer) => parse(answer).pages === pages }
  }
  if (choice < 90) return { path: "/health", isRight: () => true }
  return { path: file.path, isRight: (answer) => answer.body.toString() === file.text }
}

/** An answer that cannot be parsed is wrong too. */
function passes(isRight: Check, answer: unknown) {
  try {
    return isRight(answer)
  } catch {
    return false
  }
}

function parse({ body }: { body: Buffer }) {
  return JSON.parse(body.toString())
}

/** Returns a generator that gives the same numbers for the same seed. */
function seeded(seed: number) {
  let state = seed >>> 0
  return (bound: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * bound)
  }
}
