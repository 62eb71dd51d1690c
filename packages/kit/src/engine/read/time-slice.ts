// The length of a time slice: long enough that yielding costs next to nothing, short enough that concurrent requests do
// not notice.
const MAX_SLICE_MS = 8

const waiting: (() => void)[] = []

/**
 * A time slice of the event loop. Work on many records regularly checks whether its time slice is over, and if so
 * yields to other tasks:
 *
 * for (const row of rows) {
 *   if (turn.isOver) await turn.next()
 *   …
 * }
 */
export class TimeSlice {
  #since = performance.now()

  get isOver(): boolean {
    return performance.now() - this.#since > MAX_SLICE_MS
  }

  async next(): Promise<void> {
    await yieldToEventLoop()
    this.#since = performance.now()
  }
}

/**
 * Resolves after the event loop has run its other tasks. Each iteration of the event loop resumes one waiting function.
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(serveNext)
  })
}

function serveNext(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(serveNext)
}
