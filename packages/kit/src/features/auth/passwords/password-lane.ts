import { ApiError } from "../../../wire/errors/api-error.ts"

/** How much work on passwords one process does and keeps waiting. */
export interface PasswordLaneLimits {
  /** Passwords that are hashed at the same time. */
  readonly atOnce: number
  /** Requests of all callers that wait for their turn. */
  readonly waiting: number
  /** Requests of one caller among them. */
  readonly waitingPerCaller: number
}

interface Waiting {
  start(): void
  refuse(): void
}

/**
 * Hashes passwords, a few at a time. A hash takes a thread of the pool that reads files and looks up names, so that those
 * of many sign-ins would keep everybody else waiting. Callers take turns: nobody waits for all requests of another one.
 */
export class PasswordLane {
  readonly #limits: PasswordLaneLimits
  /** The requests that wait, by caller, in the order in which the callers have their turns. */
  readonly #lines = new Map<string, Waiting[]>()
  #running = 0
  #waiting = 0

  constructor(limits: PasswordLaneLimits) {
    this.#limits = limits
  }

  /** Runs the work when it is the caller's turn, or refuses it when too much waits. System code has no caller. */
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

  // A caller with a short line takes the place of the newest request of the one with the longest.
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

// What system code has asked for is never given up.
function longer(longest: Line, line: Line): Line {
  return line[0] !== SYSTEM && line[1].length > longest[1].length ? line : longest
}

function tooMuch(): ApiError {
  const message = "Too many people are signing in right now. Try again in a moment."
  return new ApiError("SERVICE_UNAVAILABLE", { message })
}
