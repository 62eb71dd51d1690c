import { fork } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { BENCH_SECRET } from "../harness/seeded-session.mjs"

/**
 * @typedef {object} Place
 * @property {string} url       the database
 * @property {string} root      the checkout whose framework is measured
 * @property {string} app       the folder of the app
 * @property {string} [mapped]  the folder of a bundle with source maps, which is run instead of the built one
 * @property {import("../harness/cleanup.mjs").Cleanup} cleanup
 */

const PRELOAD = new URL("./inside/preload.mjs", import.meta.url).href
const PRELOAD_MAPPED = new URL("./inside/preload-mapped.mjs", import.meta.url).href
// A large young generation, so that few samples see a collection; one thread, so that it does not depend on the load of
// the machine when code is optimized.
const FLAGS = ["--min-semi-space-size=64", "--max-semi-space-size=64", "--single-threaded"]

const LIMIT_MS = 300_000

/** The app in a process of its own, which measures itself on command. */
export class MeasuredApp {
  #child
  #ended

  /** Starts the app. @param {Place} place */
  constructor({ url, root, app, mapped, cleanup }) {
    const mappedFlags = mapped ? ["--enable-source-maps", "--import", PRELOAD_MAPPED] : []
    const mappedFolders = mapped ? { COST_BUILT: join(root, "packages/kit/dist/bundle"), COST_MAPPED: mapped } : {}
    this.#child = fork(join(root, "packages/kit/bin/kit.mjs"), ["start", "--port", "0", "--host", "127.0.0.1"], {
      cwd: app,
      env: { ...process.env, ...mappedFolders, KIT_SECRET: BENCH_SECRET, DATABASE_URL: url },
      execArgv: [...FLAGS, ...mappedFlags, "--import", PRELOAD],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      serialization: "advanced",
    })
    this.#ended = once(this.#child, "exit").then(() => [{ failure: "The measured app has ended early." }])
    cleanup.add(() => this.stop())
  }

  async isReady() {
    await this.#message()
  }

  /** @param {import("./inside/obey.mjs").Order} order */
  async measure(order) {
    const message = this.#message()
    this.#child.send(order)
    return (await message).result
  }

  async #message() {
    const late = delay(LIMIT_MS, [{ failure: `The measured app was silent for ${LIMIT_MS / 1000} s.` }], { ref: false })
    const [message] = await Promise.race([once(this.#child, "message"), this.#ended, late])
    if (message.failure !== undefined) throw new Error(message.failure)
    return message
  }

  async stop() {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    this.#child.kill("SIGKILL")
    await this.#ended
  }
}
