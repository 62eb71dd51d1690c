import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { resolve } from "node:path"
import { freePort } from "./free-port.ts"

export interface SmtpBehaviour {
  /** The port; a free one unless set. */
  readonly port?: number
  /** The credentials that a client needs; none unless set. */
  readonly user?: { readonly name: string; readonly password: string }
  /** Addresses that are refused permanently. */
  readonly refuse?: readonly string[]
  /** Addresses that are refused temporarily. */
  readonly busy?: readonly string[]
  /** The point at which the server stops answering. */
  readonly stallAt?: "greeting" | "data"
  /** Offers TLS with a self-signed certificate. */
  readonly withTls?: boolean
}

export interface TakenMail {
  readonly from: string
  readonly to: readonly string[]
  /** The raw message, one character for each byte. */
  readonly raw: string
  /** The id of the connection. */
  readonly id: string
  readonly user?: string
}

/** A real mail server in a separate process. */
export class SmtpProcess implements AsyncDisposable {
  readonly taken: TakenMail[] = []
  readonly port: number
  readonly #child: ChildProcess

  private constructor(child: ChildProcess, port: number) {
    this.#child = child
    this.port = port
    child.on("message", (mail: TakenMail) => this.taken.push(mail))
  }

  static async start(behaviour: SmtpBehaviour = {}): Promise<SmtpProcess> {
    const { port = await freePort() } = behaviour
    const given = JSON.stringify({ ...behaviour, port })
    const child = fork(resolve("test/support/processes/smtp-child.mjs"), [given], { execArgv: [] })
    // The first message of the process says that it listens.
    await once(child, "message")
    return new SmtpProcess(child, port)
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.port}`
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    this.#child.kill("SIGKILL")
    await once(this.#child, "exit")
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }
}
