import { once } from "node:events"
import { chownSync, existsSync, rmSync } from "node:fs"
import { createServer, type Server } from "node:net"
import { dirname } from "node:path"
import { hasErrorCode } from "../files/error-code.ts"
import { ensureSocketDirectory } from "../files/socket-directory.ts"
import type { ServerUser } from "../files/unprivileged-user.ts"
import type { Holds } from "./holds.ts"

/** The Unix socket on which a supervisor accepts the processes that use its PostgreSQL server. */
export class ControlListener {
  readonly path: string
  readonly #holds: Holds
  readonly #user: ServerUser
  #server: Server

  private constructor(path: string, holds: Holds, user: ServerUser) {
    this.path = path
    this.#holds = holds
    this.#user = user
    this.#server = this.#createServer()
  }

  /** Returns undefined if the socket's directory was removed by a supervisor that is exiting. */
  static async open(path: string, holds: Holds, user: ServerUser): Promise<ControlListener | undefined> {
    const listener = new ControlListener(path, holds, user)
    try {
      await listener.#listen()
      return listener
    } catch (error) {
      if (hasErrorCode(error, "ENOENT", "EACCES")) return undefined
      throw error
    }
  }

  /** Listens again, under the same path, if the socket's file or directory was deleted. */
  async restore(): Promise<void> {
    if (existsSync(this.path)) return
    ensureSocketDirectory(dirname(this.path), this.#user)
    this.close()
    this.#server = this.#createServer()
    await this.#listen()
  }

  /** Refuses new connections. Open connections stay open. */
  close(): void {
    this.#server.close()
  }

  // Half-open connections let a process that no longer uses the server wait until the server has stopped.
  #createServer(): Server {
    return createServer({ allowHalfOpen: true }, (socket) => this.#holds.accept(socket))
  }

  async #listen(): Promise<void> {
    // The socket's path contains the pid of this process, so an existing file was left by a dead process.
    rmSync(this.path, { force: true })
    this.#server.listen(this.path)
    await once(this.#server, "listening")
    chownSync(this.path, this.#user.uid, this.#user.gid)
  }
}
