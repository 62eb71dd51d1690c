const COUNTER_BITS = 12
const COUNTER_MAX = (1 << COUNTER_BITS) - 1

let lastMs = 0
let counter = 0

/**
 * Returns a UUID version 7. An id that this process makes later sorts after earlier ids, even within one millisecond.
 */
export function newId(now: Date): string {
  const time = nextMoment(now.getTime()).toString(16).padStart(12, "0")
  const count = counter.toString(16).padStart(3, "0")
  // `randomUUID` returns version 4, whose second half has the same format as in version 7: the variant and 62 random
  // bits.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count}${crypto.randomUUID().slice(18)}`
}

// Returns the milliseconds for the next id, and sets the counter. If the counter is full, the next millisecond is used
// early. If the clock goes back, the last millisecond stays in use.
function nextMoment(ms: number): number {
  if (ms > lastMs) {
    lastMs = ms
    counter = 0
    return lastMs
  }
  if (counter === COUNTER_MAX) {
    lastMs += 1
    counter = 0
    return lastMs
  }
  counter += 1
  return lastMs
}
