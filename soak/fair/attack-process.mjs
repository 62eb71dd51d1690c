// The attacker, in a process of its own: { begin: { name, url } } and { end: true } are its two messages.
import { setMaxListeners } from "node:events"
import { setPriority } from "node:os"
import { ATTACKS } from "./attacks.mjs"

// An attacker has a machine of their own: here it is not to take the processor from the server.
const LOW_PRIORITY = 10

setPriority(LOW_PRIORITY)
let ending = new AbortController()
/** @type {Promise<unknown>} */
let attack = Promise.resolve()
/** @type {Record<string, number>} */
let answers = {}
let bytes = 0

process.on("disconnect", () => process.exit())
process.on("message", async ({ begin }) => {
  if (begin) start(begin)
  else await stop()
  process.send?.({ figures: { answers, mb: Math.round(bytes / 1024 / 1024) } })
})

/** @param {{ name: string, url: string }} order */
function start({ name, url }) {
  ending = new AbortController()
  // Every connection under way listens to it.
  setMaxListeners(0, ending.signal)
  answers = {}
  bytes = 0
  const count = (/** @type {number} */ status, /** @type {number | undefined} */ size = 0) => {
    const key = status === 0 ? "closed" : String(status)
    answers[key] = (answers[key] ?? 0) + 1
    bytes += size
  }
  attack = Promise.resolve(ATTACKS[name]?.({ url, signal: ending.signal, count }))
}

async function stop() {
  ending.abort()
  await attack
}
