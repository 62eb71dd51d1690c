import { mkdtemp, rm } from "node:fs/promises"
import { createServer, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { isServerAnswering } from "../../src/drivers/embedded-postgres/files/postmaster-file.ts"

const STANDSTILL_MS = 2_100

/** Starts a server that behaves like this, and returns the pid file that it has written. */
async function serverThat(answers: (socket: Socket) => void) {
  const socketDirectory = await mkdtemp(join(tmpdir(), "kit-socket-"))
  const server = createServer((socket) => answers(socket.on("error", () => {})))
  await new Promise<void>((resolve) => server.listen(join(socketDirectory, ".s.PGSQL.5432"), resolve))
  onTestFinished(async () => {
    server.close()
    await rm(socketDirectory, { recursive: true })
  })
  return { pid: 0, port: "5432", socketDirectory, status: "ready" }
}

test("a server whose answer comes while the machine stands still is not taken for one without sockets", async () => {
  const file = await serverThat((socket) =>
    socket.once("data", () => {
      socket.write("N")
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STANDSTILL_MS)
    }),
  )

  expect(await isServerAnswering(file)).toBe(true)
})

test("a server that hangs up, and sockets that are gone, are none", async () => {
  const hangsUp = await serverThat((socket) => socket.destroy())

  expect(await isServerAnswering(hangsUp)).toBe(false)
  expect(await isServerAnswering({ ...hangsUp, port: "5433" })).toBe(false)
})
