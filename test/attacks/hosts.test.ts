// @module-tag not-about-engine

import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { exchange, type RawAnswer } from "../support/processes/raw-http.ts"
import { mailApp } from "../support/worlds/mail-app.ts"

const developed = () => mailApp({ mode: "development", config: { email: {} } } as const)

let app: Awaited<ReturnType<typeof developed>>
beforeAll(async () => {
  app = await developed()
  await app.email.send({ to: "bob@x.test", subject: "A secret link", html: "<p>1</p>" })
})
afterAll(() => app[Symbol.asyncDispose]())

/** Sends the request line and headers unchanged. */
function send(lines: readonly string[]): Promise<RawAnswer> {
  const { hostname, port } = new URL(app.url)
  return exchange({ hostname, port: Number(port) }, Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"))
}

/** Returns the lines with the app's base path in front of the path. */
const below = ([first = "", ...headers]: readonly string[]) => [first.replace(" /", ` ${basePath()}/`), ...headers]
const basePath = () => new URL(app.url).pathname.replace(/\/$/, "")

const getMail = (host: string, path = "/_kit/mail") =>
  send(below([`GET ${path} HTTP/1.1`, `Host: ${host}`, "Connection: close"]))

describe("the mail of development is for this machine only", () => {
  test.each([
    "localhost",
    "LOCALHOST:3000",
    "127.0.0.1",
    "127.8.9.10:65535",
    "[::1]:3000",
    "app.localhost:3000",
    "a.b.localhost",
  ])("the host %s gets it", async (host) => {
    const answer = await getMail(host)

    expect(answer.status).toBe(200)
    expect(answer.text).toContain("A secret link")
  })

  test.each([
    "evil.test",
    "evil.test:3000",
    "localhost.evil.test",
    "127.0.0.1.evil.test",
    "evillocalhost",
    "127.0.0.1@evil.test",
    "192.168.1.7:3000",
    "[::2]",
    "128.0.0.1",
    "127.0.0.256",
    "0.0.0.0",
    "[::ffff:127.0.0.1]",
  ])("the host %s gets nothing of it", async (host) => {
    for (const path of ["/_kit/mail", "/_kit/mail/1", "/_kit/mail/2"]) {
      const answer = await getMail(host, path)

      expect([400, 403]).toContain(answer.status)
      expect(answer.text).not.toContain("secret")
    }
  })

  test("the refusal says why, and what to do", async () => {
    const answer = await getMail("evil.test:3000")

    expect(answer).toMatchObject({ status: 403, body: { error: { code: "FORBIDDEN" } } })
    expect(answer.body.error.message).toMatch(/evil\.test:3000.*http:\/\/localhost/)
  })

  test("a Request without a Host header is judged by its URL", async () => {
    const path = `${basePath()}/_kit/mail`
    const near = await app.app.handler(new Request(`http://localhost:3000${path}`))
    const far = await app.app.handler(new Request(`http://evil.test:3000${path}`))

    expect([near.status, far.status]).toEqual([200, 403])
  })
})

describe("a request names one host", () => {
  const health = "GET /_kit/health HTTP/1.1"

  test.each([
    ["no Host", [health]],
    ["an empty Host", [health, "Host:"]],
    ["a Host of spaces", [health, "Host:   "]],
    ["two equal hosts", [health, "Host: localhost", "Host: localhost"]],
    ["two hosts", [health, "Host: localhost", "host: evil.test"]],
    ["two hosts of HTTP/1.0", ["GET /_kit/health HTTP/1.0", "Host: localhost", "HOST: evil.test"]],
    ["an empty Host beside another", [health, "Host: localhost", "Host:"]],
    ["a list of hosts", [health, "Host: localhost, evil.test"]],
    ["a path in the host", [health, "Host: localhost/x"]],
    ["a user in the host", [health, "Host: a@localhost"]],
    ["a space in the host", [health, "Host: local host"]],
    ["a port that is none", [health, "Host: localhost:port"]],
  ])("%s is 400", async (_name, lines) => {
    const answer = await send([...below(lines), "Connection: close"])

    expect(answer).toMatchObject({ status: 400, body: { error: { code: "BAD_REQUEST" } } })
    expect(answer.body.error.message).toMatch(/host/i)
  })

  test.each([
    ["one host", [health, "Host: example.com"]],
    ["a host and a port", [health, "Host: example.com:8080"]],
    ["an IPv6 address", [health, "Host: [2001:db8::1]:80"]],
    ["HTTP/1.0 without one", ["GET /_kit/health HTTP/1.0"]],
  ])("%s is served", async (_name, lines) => {
    const answer = await send([...below(lines), "Connection: close"])

    expect(answer.status).toBe(200)
  })
})

describe("the id of a request", () => {
  const idOf = async () => (await fetch(`${app.url}/_kit/health`)).headers.get("x-request-id") ?? ""

  test("tells nothing about the requests before it", async () => {
    const ids = []
    for (let count = 0; count < 50; count++) ids.push(await idOf())

    expect(new Set(ids).size).toBe(50)
    for (const id of ids) expect(id).toMatch(/^[\w-]{22}$/)
    // Two random characters are equal in 1 of 64 cases: two of 50 ids share four at the same end less than once in
    // 6,000 runs.
    for (const shared of [(id: string) => id.slice(0, 4), (id: string) => id.slice(-5, -1)]) {
      expect(new Set(ids.map(shared)).size).toBeGreaterThan(48)
    }
  })
})
