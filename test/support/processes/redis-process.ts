import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { tmpdir } from "node:os"
import { freePort } from "./free-port.ts"

const DEADLINE_MS = 60_000

/** A Redis server for one test that stores nothing on disk. */
export class RedisProcess implements AsyncDisposable {
  readonly url: string
  readonly #port: number
  #child: ChildProcess | undefined

  private constructor(port: number) {
    this.#port = port
    this.url = `redis://127.0.0.1:${port}`
  }

  static async start(): Promise<RedisProcess> {
    const redis = new RedisProcess(await freePort())
    await redis.restart()
    return redis
  }

  /** Starts again, empty, on the same port. */
  async restart(): Promise<void> {
    const args = ["--port", String(this.#port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    const child = spawn("redis-server", [...args, "--dir", tmpdir()], { stdio: ["ignore", "pipe", "inherit"] })
    this.#child = child
    const signal = AbortSignal.timeout(DEADLINE_MS)
    let output = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text
      if (output.includes("Ready to accept connections")) child.emit("ready")
    })
    await Promise.race([
      once(child, "ready", { signal }),
      once(child, "exit", { signal }).then(() => Promise.reject(new Error(`redis-server ended:\n${output}`))),
    ])
  }

  async stop(): Promise<void> {
    const child = this.#child
    this.#child = undefined
    if (child === undefined || child.exitCode !== null) return
    child.kill("SIGKILL")
    await once(child, "exit")
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }
}
