import { connect, createServer, type Socket } from "node:net"
import pg from "pg"
import type { TestDatabase } from "../test-database.ts"

/** A proxy before a database that stops forwarding after a number of bytes. */
export interface StallingProxy extends AsyncDisposable {
  readonly url: string
  readonly stalled: Promise<void>
  /** Cuts every connection. */
  cut(): void
}

export async function startStallingProxy(database: TestDatabase, afterBytes: number): Promise<StallingProxy> {
  const { host, port, user, database: name } = new pg.Client({ connectionString: database.url })
  const target = host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
  const sockets = new Set<Socket>()
  let left = afterBytes
  let stall = () => {}
  const stalled = new Promise<void>((resolve) => {
    stall = resolve
  })
  const server = createServer((client) => {
    const upstream = connect(target)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on("error", () => {})
      socket.on("close", () => {
        client.destroy()
        upstream.destroy()
      })
    }
    client.on("data", (chunk: Buffer) => {
      left -= chunk.length
      if (left < 0) stall()
      else if (!upstream.write(chunk)) client.pause()
    })
    upstream.on("drain", () => client.resume()).pipe(client)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `postgres://${user}@127.0.0.1:${typeof address === "object" ? address?.port : 0}/${name}`,
    stalled,
    cut,
    [Symbol.asyncDispose]: async () => {
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
