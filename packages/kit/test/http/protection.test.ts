import { describe, expect, test } from "vitest"
import { createProtection, type ProtectionOptions } from "../../src/http/protection/protection.ts"
import type { IncomingCall, OutgoingAnswer } from "../../src/ports/http.ts"

const PARTS: ProtectionOptions = {
  rate: {},
  trustedProxies: 0,
  basePath: "/api",
  now: () => new Date("2026-05-04T10:30:00Z"),
}

function callOf(headers: Record<string, string>): IncomingCall {
  return {
    method: "GET",
    path: "/api/pages",
    query: "",
    headers: new Headers(headers),
    peerAddress: undefined,
    isEncrypted: false,
    hasLeft: false,
    hasBody: false,
    readBody: () => Promise.resolve(new Uint8Array()),
    openBody: () => new Blob([]).stream(),
    toRequest: () => new Request("http://x.test/api/pages"),
  }
}

async function headersOf(parts: Partial<ProtectionOptions>, own: OutgoingAnswer["headers"]) {
  const answer = { status: 200, headers: own, body: "" }
  const handle = createProtection({ ...PARTS, ...parts }).wrap(() => Promise.resolve(answer))
  return (await handle(callOf({ origin: "https://shop.example.com" }))).headers
}

describe("what an answer says itself", () => {
  test("stays as it is", async () => {
    const own = {
      "content-type": "application/json",
      "x-frame-options": "SAMEORIGIN",
      "content-security-policy": "default-src 'self'",
      "cross-origin-resource-policy": "cross-origin",
      "referrer-policy": "origin",
      "strict-transport-security": "max-age=0",
    }

    const headers = await headersOf({ appUrl: "https://x.test" }, { ...own })

    expect(headers).toMatchObject(own)
  })

  test("about origins stays as it is, and caches are told of both", async () => {
    const headers = await headersOf(
      { origins: ["https://shop.example.com"] },
      { "access-control-allow-origin": "*", vary: "Accept" },
    )

    expect(headers).toMatchObject({ "access-control-allow-origin": "*", vary: "Accept, Origin" })
  })

  test.each(["Origin", "Accept, origin", "*"])("by Vary: %s is enough", async (vary) => {
    expect((await headersOf({ origins: ["https://x.test"] }, { vary }))["vary"]).toBe(vary)
  })
})

test("a page of an author may be framed and load what it needs, and its type is not guessed", async () => {
  const headers = await headersOf({}, { "content-type": "text/html" })

  expect(headers["x-content-type-options"]).toBe("nosniff")
  expect(headers["content-security-policy"]).toBeUndefined()
  expect(headers["referrer-policy"]).toBe("no-referrer")
})
