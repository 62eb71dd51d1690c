import { rm } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { until } from "../until.ts"
import type { App } from "./keys-app.ts"
import type { Load } from "./load.ts"
import { fill, newPostmaster, supervisorOf, untilDown } from "./server.ts"

export interface FaultPlan {
  /** How often each fault happens. */
  readonly rounds: number
  /** How often the server is killed in a row. */
  readonly kills: number
  /** How long the disk stays full after the server went down. */
  readonly fullMs: number
  /** Seeded: a whole number from 0 up to the bound. */
  readonly below: (bound: number) => number
}

interface FaultOptions extends FaultPlan {
  /** The folder of the app. */
  readonly folder: string
  readonly apps: readonly App[]
  readonly load: Load
  /** The mount point of the small disk, if there is one. */
  readonly disk: string | undefined
}

type Recovery = { fault: string; readyAgainMs: number }

/** The faults, in an order that the seed decides. */
export class Faults {
  #recoveries: Recovery[] = []

  readonly options: FaultOptions

  constructor(options: FaultOptions) {
    this.options = options
  }

  async run() {
    const kinds = [
      () => this.#killInARow(),
      () => this.#killBoth(),
      ...(this.options.disk ? [() => this.#fillDisk()] : []),
    ]
    for (let round = 0; round < this.options.rounds; round++) {
      for (const fault of shuffled(kinds, this.options.below)) {
        await this.#untilWritten(1 + this.options.below(200))
        await fault()
      }
    }
    await this.#untilWritten(50)
  }

  figures() {
    const worst = (fault: string) =>
      Math.max(0, ...this.#recoveries.filter((recovery) => recovery.fault === fault).map((one) => one.readyAgainMs))
    const count = (fault: string) => this.#recoveries.filter((one) => one.fault === fault).length
    return {
      serverKills: count("server killed"),
      slowestAfterServerKillMs: worst("server killed"),
      killsOfBoth: count("both killed"),
      slowestAfterKillOfBothMs: worst("both killed"),
      fullDisks: count("disk full"),
      slowestAfterFullDiskMs: worst("disk full"),
      reasons: reasonsIn(this.options.apps),
    }
  }

  async #killInARow() {
    let previous = 0
    for (let kill = 0; kill < this.options.kills; kill++) {
      previous = await newPostmaster(this.options.folder, previous)
      await this.#untilWritten(1 + this.options.below(20))
      process.kill(previous, "SIGKILL")
      await this.#untilReady("server killed")
    }
  }

  async #killBoth() {
    const postmaster = await newPostmaster(this.options.folder, 0)
    const victims = shuffled([await supervisorOf(this.options.folder), postmaster], this.options.below)
    for (const pid of victims) process.kill(pid, "SIGKILL")
    await this.#untilReady("both killed")
  }

  async #fillDisk() {
    const filler = join(this.options.disk ?? "", "filler")
    fill(filler)
    await untilDown(this.options.folder)
    await wait(this.options.fullMs)
    await rm(filler)
    await this.#untilReady("disk full")
  }

  // The backends of a killed server still answer for a moment, so a write that began after the fault has to succeed.
  async #untilReady(fault: string) {
    const since = performance.now()
    await this.#untilWritten(20)
    for (const { url } of this.options.apps) await until(async () => (await fetch(`${url}/_kit/ready`)).status === 200)
    this.#recoveries.push({ fault, readyAgainMs: Math.round(performance.now() - since) })
  }

  async #untilWritten(more: number) {
    const goal = this.options.load.acknowledged.size + more
    await until(async () => this.options.load.acknowledged.size >= goal)
  }
}

/** Returns the distinct reasons in the logs, without numbers. */
function reasonsIn(apps: readonly App[]) {
  const lines = apps.flatMap(({ kit }) => kit.output.match(/(?<=database is down: ).*(?=\. It is restarted)/g) ?? [])
  return [...new Set(lines.map((line) => line.replaceAll(/\d+/g, "…").replaceAll("\\", "")))]
}

function shuffled<T>(items: readonly T[], below: (bound: number) => number): T[] {
  const left = [...items]
  return items.flatMap(() => left.splice(below(left.length), 1))
}
