const COUNTER_BITS = 12
const COUNTER_MAX = (1 << COUNTER_BITS) - 1

let lastMs = 0
let counter = 0

/** A UUID of version 7: ids made later by this process sort later, also within one millisecond. */
export function newId(now: Date): string {
  const ms = nextMoment(now.getTime())
  const random = crypto.getRandomValues(new Uint8Array(8))
  // Two bits of the ninth byte are the variant of the format.
  random[0] = ((random[0] ?? 0) & 0x3f) | 0x80
  const time = ms.toString(16).padStart(12, "0")
  const tail = Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("")
  const count = counter.toString(16).padStart(3, "0")
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count}-${tail.slice(0, 4)}-${tail.slice(4)}`
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
