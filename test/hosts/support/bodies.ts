import { once } from "node:events"
import { request } from "node:http"
import { connect } from "node:net"
import { expect, test } from "vitest"
import { exchange, readAnswer } from "../../support/processes/raw-http.ts"
import type { Served } from "./conformance.ts"
import { signIn } from "./records.ts"

const TOO_LONG = JSON.stringify({ title: "x".repeat(1024 * 1024) })

export function describeBodies(served: () => Served): void {
  test("reads a body that comes in chunks", async () => {
    const { cookie } = await signIn(served())
    const head = ["POST /api/notes HTTP/1.1", `cookie: ${cookie}`, "content-type: application/json", ...CHUNKED]
    const body = '9\r\n{"title":\r\n8\r\n"chunks"\r\n1\r\n}\r\n0\r\n\r\n'

    const answer = await exchange(addressOf(served()), Buffer.from(`${head.join("\r\n")}\r\n\r\n${body}`))

    expect(answer.status).toBe(201)
    expect(answer.text).toContain('"title":"chunks"')
  })

  test("gives a raw route every byte", async () => {
    // More than hosts accept by default.
    const body = new Uint8Array(3_000_000).fill(255)

    const answer = await fetch(`${served().url}/bytes`, { method: "POST", body })

    expect(await answer.json()).toEqual({ length: 3_000_000 })
  })

  test.each([
    ["told by its length", `content-length: ${TOO_LONG.length}`, TOO_LONG],
    [
      "in chunks",
      "transfer-encoding: chunked",
      `${TOO_LONG.length.toString(16)}\r\n${TOO_LONG}\r\n`, // and no end
    ],
  ])("answers a body over the limit with 413, %s, without waiting for its end", async (_name, length, body) => {
    const { cookie } = await signIn(served())
    const head = [
      "POST /api/notes HTTP/1.1",
      "host: localhost",
      `cookie: ${cookie}`,
      "content-type: application/json",
      length,
    ]
    const { hostname, port } = addressOf(served())
    const socket = connect(port, hostname)
    socket.on("error", () => {})

    socket.write(`${head.join("\r\n")}\r\n\r\n${body}`)
    const [first] = await once(socket, "data")

    expect(String(first)).toMatch(/^HTTP\/1\.1 413 /)
    socket.destroy()
    expect((await fetch(`${served().url}/health`)).status).toBe(200)
  })

  test("outlives uploads that break off", async () => {
    const { url } = served()
    const begun = Array.from({ length: 10 }, () => {
      const sent = request(`${url}/bytes`, { method: "POST", headers: { "content-length": "1000" } })
      sent.on("error", () => {})
      return new Promise<void>((resolve) => sent.write("half", () => resolve(void sent.destroy())))
    })
    await Promise.all(begun)

    const answer = await fetch(`${url}/bytes`, { method: "POST", body: "whole" })

    expect(await answer.json()).toEqual({ length: 5 })
  })

  test("answers broken JSON with 400", async () => {
    const { cookie } = await signIn(served())
    const headers = { cookie, "content-type": "application/json" }

    const answer = await fetch(`${served().url}/notes`, { method: "POST", body: "{", headers })

    expect([answer.status, await answer.json()]).toMatchObject([400, { error: { code: "BAD_REQUEST" } }])
  })

  test("does not mistake what follows a refused body for a request", async () => {
    const { hostname, port } = addressOf(served())
    const socket = connect(port, hostname)
    const answer = readAnswer(socket)
    const head = ["POST /api/notes HTTP/1.1", "host: localhost", "content-type: text/plain", "content-length: 200000"]

    socket.write(`${head.join("\r\n")}\r\n\r\nGET /api/health HTTP/1.1\r\nhost: x\r\n\r\n`)
    await once(socket, "data")
    socket.end()

    expect((await answer).text).not.toContain("HTTP/1.1 200")
  })
}

const CHUNKED = ["host: localhost", "connection: close", "transfer-encoding: chunked"]

function addressOf({ origin }: Served): { hostname: string; port: number } {
  const { hostname, port } = new URL(origin)
  return { hostname, port: Number(port) }
}
