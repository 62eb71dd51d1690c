import { describe, expect, test } from "vitest"
import { startNodeServer } from "../../src/drivers/node/server.ts"
import { toFetchHandler } from "../../src/http/fetch-handler.ts"
import { createProtection } from "../../src/http/protection/protection.ts"
import type { CallHandler } from "../../src/ports/http.ts"

const PATH = "/api/auth/sign-in/email"
const BODY = JSON.stringify({ email: "eva@example.com", password: "ž".repeat(5000) })
const INIT = { method: "POST", body: BODY, headers: { "content-type": "application/json", "x-mark": "kept" } }

const asBytes: CallHandler = async ({ readBody, headers }) => {
  const bytes = (await readBody(100_000)) ?? ""
  return { status: 200, headers: { "x-mark": headers.get("x-mark") ?? "" }, body: bytes }
}
const asRequest: CallHandler = async ({ toRequest }) => {
  const request = toRequest(100_000)
  return { status: 200, headers: { "x-mark": request.headers.get("x-mark") ?? "" }, body: await request.text() }
}
const readers: readonly (readonly [string, CallHandler])[] = [
  ["as bytes", asBytes],
  ["as a Request", asRequest],
]

function protectedHandler(handle: CallHandler): CallHandler {
  const parts = { rate: {}, trustedProxies: 0, basePath: "/api", now: () => new Date() }
  return createProtection(parts).wrap(handle)
}

describe("an attempt to sign in that is let through", () => {
  test.each(readers)("has its whole body still to be read %s, on the server", async (_name, handle) => {
    const server = await startNodeServer(protectedHandler(handle), { port: 0, host: "127.0.0.1" })

    const answer = await fetch(`http://127.0.0.1:${server.port}${PATH}`, INIT)
    const text = await answer.text()
    await server.stop()

    expect({ text, mark: answer.headers.get("x-mark") }).toEqual({ text: BODY, mark: "kept" })
  })

  test.each(readers)("has its whole body still to be read %s, as a function", async (_name, handle) => {
    const answer = await toFetchHandler(protectedHandler(handle))(new Request(`http://x.test${PATH}`, INIT))

    expect({ text: await answer.text(), mark: answer.headers.get("x-mark") }).toEqual({ text: BODY, mark: "kept" })
  })

  test("may have no body at all", async () => {
    const request = new Request(`http://x.test${PATH}`, { method: "POST" })

    const answer = await toFetchHandler(protectedHandler(asBytes))(request)

    expect({ status: answer.status, text: await answer.text() }).toEqual({ status: 200, text: "" })
  })
})
