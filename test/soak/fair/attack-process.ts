// The attacker, in its own process. It takes two messages: { begin: { name, url } } and { end: true }.
import { setMaxListeners } from "node:events"
import { setPriority } from "node:os"
import { ATTACKS } from "./attacks.ts"

// A real attacker has a separate machine: low priority keeps this process from taking the server's CPU time.
const LOW_PRIORITY = 10

setPriority(LOW_PRIORITY)
let ending = new AbortController()
let attack: Promise<unknown> = Promise.resolve()
let answers: Record<string, number> = {}
let bytes = 0

process.on("disconnect", () => process.exit())
process.on("message", async ({ begin }) => {
  if (begin) start(begin)
  else await stop()
  process.send?.({ figures: { answers, mb: Math.round(bytes / 1024 / 1024) } })
})

function start({ name, url }: { name: string; url: string }) {
  ending = new AbortController()
  // Every open connection listens to this signal.
  setMaxListeners(0, ending.signal)
  answers = {}
  bytes = 0
  const count = (status: number, size: number | undefined = 0) => {
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
