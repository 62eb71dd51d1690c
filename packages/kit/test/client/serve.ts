import { once } from "node:events"
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"

/** A server that answers as the listener says, until it is disposed of. */
export async function serve(listener: RequestListener) {
  const server = createServer(listener).listen(0, "127.0.0.1")
  await once(server, "listening")
  // A listening TCP server has an address with a port.
  const { port } = server.address() as AddressInfo
  return {
    baseURL: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    },
  }
}
