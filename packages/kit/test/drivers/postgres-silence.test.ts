import { once } from "node:events"
import { type AddressInfo, createServer, type Socket } from "node:net"
import { expect, test } from "vitest"
import { openPostgres } from "../../src/drivers/postgres.ts"

test("a server that takes connections and says nothing is told from one whose connections are all in use", async () => {
  const sockets: Socket[] = []
  const server = createServer((socket) => sockets.push(socket.on("error", () => {}))).listen(0, "127.0.0.1")
  await once(server, "listening")
  // Listening at a port, it has an address of this kind.
  const { port } = server.address() as AddressInfo
  const database = openPostgres({ url: `postgres://ann@127.0.0.1:${port}/app`, acquireTimeoutMs: 20 })

  await expect(database.query({ text: "select 1", values: [] })).rejects.toMatchObject({
    code: "POOL_BUSY",
    message: "PostgreSQL has not answered within 20 ms.",
  })

  for (const socket of sockets) socket.destroy()
  await database.close()
  server.close()
})
