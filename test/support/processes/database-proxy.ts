import { once } from "node:events"
import { connect, createServer, type Server, type Socket } from "node:net"
import pg from "pg"
import { StatementCounter } from "../statement-counter.ts"
import { createTestDatabase, type TestDatabase } from "../test-database.ts"
import { freePort } from "./free-port.ts"

/** A proxy between an app and a test database, which can be cut. */
export interface DatabaseProxy extends AsyncDisposable {
  readonly url: string
  /** The database without the proxy. */
  readonly database: TestDatabase
  /** Returns the number of statements so far, without those of the bus. */
  statements(): number
  statementsOfBus(): number
  /** Cuts every connection and refuses new ones. */
  cut(): Promise<void>
  restore(): Promise<void>
}

/** Without a database it creates one, and drops it at the end. */
export async function startDatabaseProxy(given?: TestDatabase): Promise<DatabaseProxy> {
  const database = given ?? (await createTestDatabase())
  const { host, port, user, password, database: name } = new pg.Client({ connectionString: database.url })
  const target = host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
  const sockets = new Set<Socket>()
  const counters: StatementCounter[] = []
  const server = createServer((client) => {
    const upstream = connect(target)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on("error", () => {})
      socket.on("close", () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    const counter = new StatementCounter()
    counters.push(counter)
    client.on("data", (chunk: Buffer) => counter.read(chunk))
    client.pipe(upstream).pipe(client)
  })
  const ownPort = await freePort()
  await listen(server, ownPort)
  const cut = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      for (const socket of sockets) socket.destroy()
    })
  return {
    url: `postgres://${user}:${encodeURIComponent(password ?? "")}@127.0.0.1:${ownPort}/${name}`,
    database,
    statements: () => sumOf(counters.filter(({ isBus }) => !isBus)),
    statementsOfBus: () => sumOf(counters.filter(({ isBus }) => isBus)),
    cut,
    restore: () => listen(server, ownPort),
    [Symbol.asyncDispose]: async () => {
      if (server.listening) await cut()
      if (!given) await database.drop()
    },
  }
}

function sumOf(counters: readonly StatementCounter[]): number {
  return counters.reduce((sum, { count }) => sum + count, 0)
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, "127.0.0.1")
  await once(server, "listening")
}
