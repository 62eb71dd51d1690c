import { once } from "node:events"
import { createServer } from "node:net"

// The operating system takes ephemeral ports from 32768 up. Below that, a released port stays free until the process
// that is to use it listens there.
const FIRST_PORT = 20_000
const PORTS = 1_500
const SHARES = 8
// Each process of a run has its own range of ports, and does not return the same port twice in a row.
const share = FIRST_PORT + (Number(process.env["VITEST_POOL_ID"] ?? 0) % SHARES) * PORTS
let next = Math.floor(Math.random() * PORTS)

/** Returns a port on which no process listens, and that no outgoing connection will take by chance. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = share + (next++ % PORTS)
    if (await isFree(port)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  // On every address, because the server that gets the port may listen on any.
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
