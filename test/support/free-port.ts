import { once } from "node:events"
import { createServer } from "node:net"

// The system takes the ports of outgoing connections, and of listeners that ask for any, from 32768 up. Below, a port
// stays free after it was given back, until whoever was told of it listens there.
const FIRST_PORT = 20_000
const PORTS = 12_000

/** A port that nobody listens on, and that no connection of another process will take by chance. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + Math.floor(Math.random() * PORTS)
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
