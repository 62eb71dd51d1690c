import { vi } from "vitest"
import type { EventReader } from "./oracles/live-events.ts"

const LIVES_MS = [1_000, 5_000, 20_000]

/**
 * Opens a stream with a short-lived session or key, and receives events within its lifetime. On a machine that stalls
 * the lifetime may be over before; the next attempt has a longer one.
 */
export async function usedInTime<Brief extends { readonly stream: EventReader }>(
  open: (lifeMs: number) => Promise<Brief>,
): Promise<Brief> {
  for (const lifeMs of LIVES_MS) {
    const brief = await open(lifeMs)
    if (await isTold(brief.stream)) return brief
    await brief.stream[Symbol.asyncDispose]()
  }
  throw new Error("Nothing was told within any of these moments.")
}

async function isTold(stream: EventReader): Promise<boolean> {
  const answer = await vi.waitFor(
    () => {
      const found = stream.events.find(({ name }) => name === "snapshot" || name === "error")
      return found ?? Promise.reject(new Error("Nothing was answered."))
    },
    { timeout: 60_000, interval: 5 },
  )
  if (answer.name !== "snapshot") return false
  await stream.next("snapshot")
  return true
}
