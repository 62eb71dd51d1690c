import { KeptValue } from "../kept-value.ts"

/**
 * The shared texts of which this browser has copies with edits that the server has not got, by their addresses. Null if it
 * has no copy of any text.
 */
const unsent = new KeptValue<readonly string[] | null>("unsent-texts", {
  fallback: null,
  parse: (kept) => (Array.isArray(kept) ? kept.map(String) : undefined),
})

/** Notes how many edits of a shared text have not reached the server. The browser has a copy of it from now on. */
export function noteUnsent(address: string, count: number): void {
  const known = unsent.read()
  const isKnown = known?.includes(address) ?? false
  if (known !== null && isKnown === count > 0) return
  const others = (known ?? []).filter((other) => other !== address)
  unsent.keep(count > 0 ? [...others, address] : others)
}

/** Returns whether something that was typed into shared texts is only in this browser. */
export function hasUnsentTexts(): boolean {
  return (unsent.read() ?? []).length > 0
}

/**
 * Returns a function that removes the copies of shared texts from this browser. Its code is there before the session ends,
 * because later nothing may be loaded.
 */
export async function prepareForgetting(): Promise<() => Promise<void>> {
  if (unsent.read() === null) return () => Promise.resolve()
  const { crdt } = await import("./crdt.ts")
  return async () => {
    await crdt.clear()
    unsent.keep(null)
  }
}
