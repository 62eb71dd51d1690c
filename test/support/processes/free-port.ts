import { once } from "node:events"
import { createServer } from "node:net"

// The system takes the ports of outgoing connections, and of listeners that ask for any, from 32768 up. Below, a port
// stays free after it was given back, until whoever was told of it listens there.
const FIRST_PORT = 20_000
const PORTS = 1_500
const SHARES = 8
// Each of the processes of a run has ports of its own, and tells none of them twice in a row.
const share = FIRST_PORT + (Number(process.env["VITEST_POOL_ID"] ?? 0) % SHARES) * PORTS
let next = Math.floor(Math.random() * PORTS)

/** A port that nobody listens on, and that no connection of another process will take by chance. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = share + (next++ % PORTS)
    if (await isFree(port)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  // On every address, as the server that gets it may listen on any.
  server.listen(port)
  const isListening = await once(server, "listening").then(
    () => true,
    () => false,
  )
  if (!isListening) return false
  server.close()
  await once(server, "close")
  return true
}
