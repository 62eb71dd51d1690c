import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { resolve } from "node:path"
import { freePort } from "./free-port.ts"

export interface SmtpBehaviour {
  /** A free one unless set. */
  readonly port?: number
  /** Who has to sign in; anybody may send unless set. */
  readonly user?: { readonly name: string; readonly password: string }
  /** Addresses that do not exist. */
  readonly refuse?: readonly string[]
  /** Addresses that will exist later. */
  readonly busy?: readonly string[]
  /** Where the server stops to answer. */
  readonly stallAt?: "greeting" | "data"
  /** Offers encryption with a certificate that nobody has signed. */
  readonly withTls?: boolean
}

export interface TakenMail {
  readonly from: string
  readonly to: readonly string[]
  /** The message as it came over the wire, one character for each byte. */
  readonly raw: string
  /** Of the connection. */
  readonly id: string
  readonly user?: string
}

/** A real mail server in a process of its own. */
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
    // The first thing that the process says is that it listens.
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
