// The index workers of the worlds: each is stopped, running or has nothing left to do, independently of the other.

import type { Chance } from "../live/random.ts"
import type { World } from "./world.ts"

type State = "heldUp" | "running" | "caughtUp"

const STATES: readonly State[] = ["heldUp", "running", "caughtUp"]

export class Workers {
  /** How often the workers of the two worlds have been in these states, at the beginning of a batch of requests. */
  counts = { heldUp: 0, running: 0, caughtUp: 0 }

  readonly worlds
  readonly chance

  constructor({ worlds, chance }: { worlds: readonly World[]; chance: Chance }) {
    this.worlds = worlds
    this.chance = chance
  }

  async change() {
    for (const world of this.worlds) {
      const state = this.chance.of(STATES)
      this.counts[state] += 1
      if (state === "heldUp") await world.app.stopWorker()
      else await world.app.startWorker()
      if (state === "caughtUp") await world.indexed()
    }
  }
}
