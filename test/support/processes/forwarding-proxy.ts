import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import pg from "pg"

const READY_FOR_QUERY = Buffer.from("Z\0\0\0\x05I", "latin1")
const TOO_MANY_CONNECTIONS = errorMessage({ S: "FATAL", C: "53300", M: "sorry, too many clients already" })

/**
 * A proxy between a process and its database. It can stop forwarding, like a network that drops every packet: it
 * accepts and discards bytes, and neither side learns that the other has closed its connection.
 */
export async function startForwardingProxy(databaseUrl: string) {
  const { host, port, user, password, database } = new pg.Client({ connectionString: databaseUrl })
  const target = host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
  const pairs: Set<Pair> = new Set()
  const ignored: Set<Socket> = new Set()
  let isShut = false
  let isFull = false
  let isShutAfterwards = false
  let attempts = 0
  const server = createServer((client) => {
    attempts++
    if (isFull) client.on("error", () => {}).once("data", () => client.end(TOO_MANY_CONNECTIONS))
    else if (isShut) ignored.add(client.on("error", () => {}).resume())
    else pairs.add(new Pair(client, connect(target), isShutAfterwards))
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  // A server on a port has the address of one.
  const address = server.address() as AddressInfo
  return {
    url: `postgres://${user}:${encodeURIComponent(password ?? "")}@127.0.0.1:${address.port}/${database}`,
    /** Existing connections fall silent for ever; new ones work. */
    silence: () => {
      for (const pair of pairs) pair.isSilent = true
    },
    /** New connections are accepted and never answered, until `open`. */
    shut: () => {
      isShut = true
    },
    /** New connections are refused as by a server with too many connections, until `open`. */
    fill: () => {
      isFull = true
    },
    /** New connections can log in to the server and get no answers after that, until `open`. */
    silenceAfterAuthentication: () => {
      isShutAfterwards = true
    },
    open: () => {
      isShut = false
      isShutAfterwards = false
      isFull = false
    },
    /** Limits the bytes per second that clients send. */
    slowDown: (bytesPerSecond: number) => {
      for (const pair of pairs) pair.slowDown(bytesPerSecond)
    },
    /** Returns the number of connections that were opened or attempted. */
    attempts: () => attempts,
    close: async () => {
      server.close()
      for (const pair of pairs) pair.destroy()
      for (const socket of ignored) socket.destroy()
      await once(server, "close")
    },
  }
}

class Pair {
  isSilent = false

  readonly sockets

  constructor(client: Socket, upstream: Socket, endsWithAuthentication: boolean) {
    this.sockets = [client, upstream]
    this.#forward(client, upstream)
    this.#forward(upstream, client)
    if (!endsWithAuthentication) return
    upstream.on("data", (chunk) => {
      if (chunk.includes(READY_FOR_QUERY)) this.isSilent = true
    })
  }

  slowDown(bytesPerSecond: number) {
    const [client] = this.sockets
    client?.on("data", (chunk) => {
      client.pause()
      setTimeout(() => client.resume(), (chunk.length / bytesPerSecond) * 1000)
    })
  }

  destroy() {
    for (const socket of this.sockets) socket.destroy()
  }

  #forward(from: Socket, to: Socket) {
    from.on("error", () => {})
    from.on("data", (chunk) => {
      if (!this.isSilent) to.write(chunk)
    })
    from.on("close", () => {
      if (!this.isSilent) to.destroy()
    })
  }
}

/** Returns an error as PostgreSQL sends it. */
function errorMessage(fields: Record<string, string>) {
  const parts = Object.entries(fields).map(([type, text]) => `${type}${text}\0`)
  const body = Buffer.from(`${parts.join("")}\0`)
  const head = Buffer.alloc(5)
  head.write("E")
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}
