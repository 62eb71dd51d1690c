import type { Caller } from "../ports/database.ts"
import type { IncomingCall } from "../ports/http.ts"
import { rateLimited } from "./protection/rate-limited.ts"

const LARGE_BODY_BYTES = 256 * 1024
const MAX_WAIT_MS = 30_000
const MAX_WAITING = 20

/** The requests of one caller that have a large body. */
interface Queue {
  running: number
  readonly waiting: (() => void)[]
}

/**
 * A semaphore for each caller. A large body takes time to parse and to write, so the number of large bodies that one
 * caller can have processed at the same time is limited, for the benefit of all other callers.
 */
export class LargeBodySemaphore {
  readonly #maxConcurrent: number
  readonly #queues = new Map<string, Queue>()

  /** `maxConcurrent` is the number of large bodies from one caller that may be processed at the same time. */
  constructor(maxConcurrent: number) {
    this.#maxConcurrent = maxConcurrent
  }

  /**
   * Waits until the call's large body may be read. Resolves to a function that must be called when the request ends.
   * Returns undefined, without waiting, if the body is small.
   */
  admit(call: IncomingCall, caller: Pick<Caller, "key">): Promise<() => void> | undefined {
    return isLarge(call) ? this.#acquire(caller.key) : undefined
  }

  async #acquire(key: string): Promise<() => void> {
    const queue = this.#queues.get(key) ?? { running: 0, waiting: [] }
    this.#queues.set(key, queue)
    if (queue.running >= this.#maxConcurrent) await this.#wait(queue)
    else queue.running++
    return () => this.#release(key, queue)
  }

  #wait({ waiting }: Queue): Promise<void> {
    if (waiting.length >= MAX_WAITING) throw tooManyLargeBodies(this.#maxConcurrent)
    return new Promise((resolve, reject) => {
      const start = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(start), 1)
        reject(tooManyLargeBodies(this.#maxConcurrent))
      }, MAX_WAIT_MS)
      waiting.push(start)
    })
  }

  // A request that ends passes its slot to the next waiting request.
  #release(key: string, queue: Queue): void {
    const next = queue.waiting.shift()
    if (next) next()
    else queue.running--
    if (queue.running === 0) this.#queues.delete(key)
  }
}

// True if the body is large or may be large, because its length is unknown.
function isLarge({ headers }: IncomingCall): boolean {
  const length = headers.get("content-length")
  return length === null ? headers.get("transfer-encoding") !== null : Number(length) > LARGE_BODY_BYTES
}

function tooManyLargeBodies(maxConcurrent: number) {
  const message = `At most ${maxConcurrent} large bodies of a caller are processed at the same time ("limits.largeBodies"). Send them one after the other.`
  return rateLimited({ limit: maxConcurrent, retryAfterSeconds: 1, resetSeconds: 1 }, message)
}
