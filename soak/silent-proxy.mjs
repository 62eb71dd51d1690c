import { once } from "node:events"
import { connect, createServer } from "node:net"
import pg from "pg"

/**
 * Stands between a process and its database. It can stop to forward anything, as a network does that drops every packet:
 * bytes are accepted and swallowed, and neither side hears that the other one has closed its connection.
 *
 * @param {string} databaseUrl
 */
export async function startSilentProxy(databaseUrl) {
  const { host, port, user, password, database } = new pg.Client({ connectionString: databaseUrl })
  const target = host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
  /** @type {Set<Pair>} */
  const pairs = new Set()
  /** @type {Set<import("node:net").Socket>} */
  const ignored = new Set()
  let isShut = false
  const server = createServer((client) => {
    if (isShut) ignored.add(client.on("error", () => {}).resume())
    else pairs.add(new Pair(client, connect(target)))
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = /** @type {import("node:net").AddressInfo} */ (server.address())
  return {
    url: `postgres://${user}:${encodeURIComponent(password ?? "")}@127.0.0.1:${address.port}/${database}`,
    /** The connections that there are fall silent for ever; those that are opened later pass. */
    silence: () => {
      for (const pair of pairs) pair.isSilent = true
    },
    /** New connections are accepted and never answered, until `open`. */
    shut: () => {
      isShut = true
    },
    open: () => {
      isShut = false
    },
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

  /** @param {import("node:net").Socket} client @param {import("node:net").Socket} upstream */
  constructor(client, upstream) {
    this.sockets = [client, upstream]
    this.#forward(client, upstream)
    this.#forward(upstream, client)
  }

  destroy() {
    for (const socket of this.sockets) socket.destroy()
  }

  /** @param {import("node:net").Socket} from @param {import("node:net").Socket} to */
  #forward(from, to) {
    from.on("error", () => {})
    from.on("data", (chunk) => {
      if (!this.isSilent) to.write(chunk)
    })
    from.on("close", () => {
      if (!this.isSilent) to.destroy()
    })
  }
}
