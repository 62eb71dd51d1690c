import type { EventReader } from "./live-events.ts"

const LIVES_MS = [1_000, 5_000, 20_000]

/**
 * A stream whose opener lives for a moment, opened and told something within that. On a machine that stands still the
 * moment may be over before, and the next try has a longer one.
 */
export async function usedInTime<Brief extends { readonly stream: EventReader }>(
  open: (lifeMs: number) => Promise<Brief>,
): Promise<Brief> {
  for (const lifeMs of LIVES_MS) {
    const brief = await open(lifeMs)
    const isTold = await brief.stream.next("snapshot").then(
      () => true,
      () => false,
    )
    if (isTold) return brief
    await brief.stream[Symbol.asyncDispose]()
  }
  throw new Error("Nothing was told within any of these moments.")
}
