import { connect, type Socket } from "node:net"
import { hasErrorCode } from "./error-code.ts"

const NOBODY_LISTENS = ["ENOENT", "ECONNREFUSED", "ECONNRESET", "ENOTSOCK"]

/**
 * Opens a connection to a Unix socket. Resolves to undefined if no process listens on it. Later errors are ignored,
 * because they close the connection anyway.
 */
export function connectTo(socketPath: string): Promise<Socket | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect(socketPath)
    socket.once("connect", () => resolve(socket))
    socket.on("error", (error) => {
      if (hasErrorCode(error, ...NOBODY_LISTENS)) return resolve(undefined)
      reject(refusal(socketPath, error))
    })
  })
}

function refusal(socketPath: string, cause: Error): Error {
  if (!hasErrorCode(cause, "EACCES", "EPERM")) return new Error(`Cannot connect to ${socketPath}.`, { cause })
  return new Error(`Another user runs the database behind ${socketPath}. Run kit as that user.`, { cause })
}
