import { ApiError } from "../../../wire/errors/api-error.ts"

/** How many password hashes one process runs together and keeps waiting. */
export interface PasswordHashLimits {
  /** The number of passwords hashed at the same time. */
  readonly atOnce: number
  /** The number of waiting requests, of all callers. */
  readonly waiting: number
  /** The number of waiting requests of one caller. */
  readonly waitingPerCaller: number
}

interface WaitingRequest {
  start(): void
  refuse(): void
}

/**
 * A semaphore for password hashing that is fair to callers. A hash occupies a thread of libuv's pool, which also reads
 * files and resolves host names, so many sign-ins would delay all other requests. Callers are served in turn.
 */
export class PasswordSemaphore {
  readonly #limits: PasswordHashLimits
  /** The waiting requests by caller; the caller at the front is served next. */
  readonly #queues = new Map<string, WaitingRequest[]>()
  #running = 0
  #waiting = 0

  constructor(limits: PasswordHashLimits) {
    this.#limits = limits
  }

  /** Runs the work in the caller's turn, or rejects it if too many requests wait. System code has no caller. */
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

  // Makes room for a caller with few waiting requests: rejects the newest request of the caller with the most.
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

// Waiting requests of system code are never rejected.
function longer(longest: CallerQueue, line: CallerQueue): CallerQueue {
  return line[0] !== SYSTEM && line[1].length > longest[1].length ? line : longest
}

function tooMuch(): ApiError {
  const message = "Too many people are signing in right now. Try again in a moment."
  return new ApiError("SERVICE_UNAVAILABLE", { message })
}
