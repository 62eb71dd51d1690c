import { ApiError } from "../../../wire/errors/api-error.ts"

/** How many password hashes one process runs together and keeps waiting. */
export interface PasswordLaneLimits {
  /** The number of passwords hashed at the same time. */
  readonly atOnce: number
  /** The number of waiting requests, of all callers. */
  readonly waiting: number
  /** The number of waiting requests of one caller. */
  readonly waitingPerCaller: number
}

interface Waiting {
  start(): void
  refuse(): void
}

/**
 * A semaphore for password hashing that is fair to callers. A hash occupies a thread of libuv's pool, which also reads
 * files and resolves host names, so many sign-ins would delay all other requests. Callers are served in turn.
 */
export class PasswordLane {
  readonly #limits: PasswordLaneLimits
  /** The waiting requests by caller; the caller at the front is served next. */
  readonly #lines = new Map<string, Waiting[]>()
  #running = 0
  #waiting = 0

  constructor(limits: PasswordLaneLimits) {
    this.#limits = limits
  }

  /** Runs the work in the caller's turn, or rejects it if too many requests wait. System code has no caller. */
  async run<Result>(caller: string | undefined, work: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.#limits.atOnce) this.#running += 1
    else await this.#turn(caller)
    try {
      return await work()
    } finally {
      this.#startNext()
    }
  }

  #turn(caller: string | undefined): Promise<void> {
    if (caller !== undefined) this.#makeRoom(caller)
    const line = this.#lines.get(caller ?? SYSTEM) ?? []
    this.#lines.set(caller ?? SYSTEM, line)
    this.#waiting += 1
    return new Promise((start, reject) => {
      line.push({ start, refuse: () => reject(tooMuch()) })
    })
  }

  // Makes room for a caller with few waiting requests: rejects the newest request of the caller with the most.
  #makeRoom(caller: string): void {
    const own = this.#lines.get(caller)?.length ?? 0
    if (own >= this.#limits.waitingPerCaller) throw tooMuch()
    if (this.#waiting < this.#limits.waiting) return
    const longest = [...this.#lines].reduce(longer, [caller, []])
    if (longest[1].length <= own + 1) throw tooMuch()
    longest[1].pop()?.refuse()
    this.#waiting -= 1
  }

  #startNext(): void {
    const [next] = this.#lines
    if (next === undefined) {
      this.#running -= 1
      return
    }
    const [caller, line] = next
    this.#lines.delete(caller)
    const first = line.shift()
    if (line.length > 0) this.#lines.set(caller, line)
    this.#waiting -= 1
    first?.start()
  }
}

const SYSTEM = "system"

type Line = readonly [caller: string, waiting: Waiting[]]

// Waiting requests of system code are never rejected.
function longer(longest: Line, line: Line): Line {
  return line[0] !== SYSTEM && line[1].length > longest[1].length ? line : longest
}

function tooMuch(): ApiError {
  const message = "Too many people are signing in right now. Try again in a moment."
  return new ApiError("SERVICE_UNAVAILABLE", { message })
}
