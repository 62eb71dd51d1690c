const FIRST_DELAY_MS = 250
const MAX_DELAY_MS = 20_000

/**
 * Returns how long to wait before the next request, after this number of tries: what the header `retry-after` says, a
 * number of seconds or a date, otherwise twice as long as before. Undefined if that is too long to wait for.
 */
export function retryDelayMs(retryAfter: string | null, tries: number): number | undefined {
  const requested = requestedMs(retryAfter)
  if (requested === undefined) return Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (tries - 1))
  return requested <= MAX_DELAY_MS ? requested : undefined
}

function requestedMs(retryAfter: string | null): number | undefined {
  if (retryAfter === null || retryAfter.trim() === "") return undefined
  const seconds = Number(retryAfter)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const date = Date.parse(retryAfter)
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now())
}
