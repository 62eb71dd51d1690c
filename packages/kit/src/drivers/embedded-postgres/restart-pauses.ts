const FIRST_PAUSE_MS = 200
const RAN_WELL_MS = 10_000

interface End {
  /** How long it had run; 0 if it did not even start. */
  readonly ranMs: number
  readonly longestPauseMs: number
}

/** The pauses between restarts of a process that keeps ending: none at first, then 0.2 s, doubling up to a limit. */
export class RestartPauses {
  #endsInARow = 0

  /** The pause after this end. A process that ran for a while starts the row again. */
  next({ ranMs, longestPauseMs }: End): number {
    if (ranMs >= RAN_WELL_MS) this.#endsInARow = 0
    const pauseMs = this.#endsInARow === 0 ? 0 : FIRST_PAUSE_MS * 2 ** (this.#endsInARow - 1)
    this.#endsInARow += 1
    return Math.min(pauseMs, longestPauseMs)
  }
}
