const COUNTER_BITS = 12
const COUNTER_MAX = (1 << COUNTER_BITS) - 1

let lastMs = 0
let counter = 0

/** A UUID of version 7: ids made later by this process sort later, also within one millisecond. */
export function newId(now: Date): string {
  const time = nextMoment(now.getTime()).toString(16).padStart(12, "0")
  const count = counter.toString(16).padStart(3, "0")
  // The second half of a random UUID is what this version wants too: the variant and 62 random bits.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count}${crypto.randomUUID().slice(18)}`
}

// A full counter borrows the next millisecond; a clock that goes back is not followed.
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
