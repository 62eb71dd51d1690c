// Long enough to cost nothing, short enough that a request beside it does not notice.
const MAX_TURN_MS = 8

const waiting: (() => void)[] = []

/**
 * Work on many records that lets others go on: it asks now and then whether its turn has lasted long enough, and if so
 * waits for the next one.
 *
 * for (const row of rows) {
 *   if (turn.isOver) await turn.next()
 *   …
 * }
 */
export class EventLoopTurn {
  #since = performance.now()

  get isOver(): boolean {
    return performance.now() - this.#since > MAX_TURN_MS
  }

  async next(): Promise<void> {
    await nextTurn()
    this.#since = performance.now()
  }
}

/** Resolves once the event loop has served everybody else; of those who wait, one goes on in each round of the loop. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(serveNext)
  })
}

function serveNext(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(serveNext)
}
