import { ApiError } from "../../../wire/errors/api-error.ts"

/** Limits how many passwords one process hashes concurrently, and how many requests wait for their turn. */
export interface PasswordHashLimits {
  /** The number of passwords that are hashed at the same time. */
  readonly atOnce: number
  /** The maximum number of waiting requests, over all callers. */
  readonly waiting: number
  /** The maximum number of waiting requests per caller. */
  readonly waitingPerCaller: number
}

interface WaitingRequest {
  start(): void
  refuse(): void
}

/**
 * Limits concurrent password hashing and serves callers in turn. Each hash occupies a thread of libuv's pool, which
 * also reads files and resolves host names, so without a limit many sign-ins would delay all other requests.
 */
export class PasswordSemaphore {
  readonly #limits: PasswordHashLimits
  /** The waiting requests by caller, in order of turns: the first caller in the map is served next. */
  readonly #queues = new Map<string, WaitingRequest[]>()
  #running = 0
  #waiting = 0

  constructor(limits: PasswordHashLimits) {
    this.#limits = limits
  }

  /**
   * Runs the work when it is the caller's turn, or rejects if too many requests wait. `caller` is undefined for system
   * code.
   */
  async run<Result>(caller: string | undefined, work: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.#limits.atOnce) this.#running += 1
    else await this.#waitForTurn(caller)
    try {
      return await work()
    } finally {
      this.#startNext()
    }
  }

  #waitForTurn(caller: string | undefined): Promise<void> {
    if (caller !== undefined) this.#makeRoom(caller)
    const line = this.#queues.get(caller ?? SYSTEM) ?? []
    this.#queues.set(caller ?? SYSTEM, line)
    this.#waiting += 1
    return new Promise((start, reject) => {
      line.push({ start, refuse: () => reject(tooMuch()) })
    })
  }

  // If the queue is full, rejects the newest request of the caller with the most waiting requests, so that a caller
  // with fewer waiting requests gets its place.
  #makeRoom(caller: string): void {
    const own = this.#queues.get(caller)?.length ?? 0
    if (own >= this.#limits.waitingPerCaller) throw tooMuch()
    if (this.#waiting < this.#limits.waiting) return
    const longest = [...this.#queues].reduce(longer, [caller, []])
    if (longest[1].length <= own + 1) throw tooMuch()
    longest[1].pop()?.refuse()
    this.#waiting -= 1
  }

  #startNext(): void {
    const [next] = this.#queues
    if (next === undefined) {
      this.#running -= 1
      return
    }
    const [caller, line] = next
    this.#queues.delete(caller)
    const first = line.shift()
    if (line.length > 0) this.#queues.set(caller, line)
    this.#waiting -= 1
    first?.start()
  }
}

const SYSTEM = "system"

type CallerQueue = readonly [caller: string, waiting: WaitingRequest[]]

// Returns the longer of two queues. The queue of system code never counts, so its requests are never rejected.
function longer(longest: CallerQueue, line: CallerQueue): CallerQueue {
  return line[0] !== SYSTEM && line[1].length > longest[1].length ? line : longest
}

function tooMuch(): ApiError {
  const message = "Too many people are signing in right now. Try again in a moment."
  return new ApiError("SERVICE_UNAVAILABLE", { message })
}
