import { createServer } from "node:http"
import express, { type ErrorRequestHandler, type RequestHandler } from "express"
import { kitMiddleware } from "kit/adapters/express"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { describeHost } from "./support/conformance.ts"
import { type HostWorld, hostWorld } from "./support/host-world.ts"
import { listen } from "./support/running-host.ts"

describeHost({
  name: "Express 5",
  tellsAddress: true,
  start: (app) => {
    const server = express()
    server.get("/host/ping", (_request, response) => void response.send("pong"))
    server.use(kitMiddleware(app))
    return listen(createServer(server))
  },
})

describe("behind a parser of Express", () => {
  let world: HostWorld
  beforeAll(async () => {
    world = await hostWorld({ limits: { rate: false, bodyBytes: 1_000, rawBodyBytes: 1_000 } })
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const behind = async (parser: RequestHandler, { path = "/notes/query", body = "", type = "application/json" }) => {
    const host = await listen(createServer(express().use(parser, kitMiddleware(world.app))))
    const init = { method: "POST", body, headers: { "content-type": type } }
    const answer = await fetch(`${host.origin}/api${path}`, init)
    const text = await answer.text()
    await host.stop()
    return { status: answer.status, body: JSON.parse(text) }
  }

  test.each([
    ["JSON", express.json(), "application/json"],
    ["JSON as text", express.text({ type: "*/*" }), "application/json"],
    ["JSON as bytes", express.raw({ type: "*/*" }), "application/json"],
    ["a kind of JSON", express.json({ type: "*/*" }), "application/json; charset=utf-8"],
    ["nothing, as it is of another type", express.json({ type: "text/x" }), "application/json"],
  ])("that has read %s, the body is used again", async (_name, parser, type) => {
    const answer = await behind(parser, { body: '{"where":{"title":"nothing of this name"}}', type })

    expect(answer).toMatchObject({ status: 200, body: { totalDocs: 0 } })
  })

  test("people sign in, with limits on how often", async () => {
    await using limited = await hostWorld({}, world.database)
    const host = await listen(createServer(express().use(express.json(), kitMiddleware(limited.app))))
    const body = JSON.stringify({ email: "bob@example.com", password: "correct horse", name: "Bob" })
    const init = { method: "POST", body, headers: { "content-type": "application/json" } }

    const answer = await fetch(`${host.origin}/api/auth/sign-up/email`, init)

    expect([answer.status, await answer.json()]).toMatchObject([200, { user: { email: "bob@example.com" } }])
    await host.stop()
  })

  test("an empty body stays empty", async () => {
    expect(await behind(express.json(), { path: "/bytes" })).toEqual({ status: 200, body: { length: 0 } })
  })

  test("the limits of the app hold", async () => {
    const body = JSON.stringify({ where: { title: "x".repeat(2_000) } })

    expect(await behind(express.json(), { body })).toMatchObject({ status: 413 })
    expect(await behind(express.json(), { path: "/bytes", body })).toMatchObject({ status: 413 })
  })

  test("a body that nobody can make again is an error whose log says what to do", async () => {
    const form = { path: "/bytes", body: "a=1", type: "application/x-www-form-urlencoded" }

    const answer = await behind(express.urlencoded(), form)

    expect(answer.status).toBe(500)
    expect(JSON.stringify(answer.body)).not.toContain("middleware")
    expect(world.logged.map(({ fields }) => String((fields as { error?: unknown }).error))).toContainEqual(
      expect.stringContaining("Put kit before the middleware that reads it."),
    )
  })
})

test("below the mount of a router the whole path counts", async () => {
  await using world = await hostWorld({ basePath: "/v1/api" })
  const router = express.Router().use(kitMiddleware(world.app))
  const host = await listen(createServer(express().use("/v1", router)))

  const inside = await fetch(`${host.origin}/v1/api/notes/count`)
  const raw = await fetch(`${host.origin}/v1/api/bytes`, { method: "POST", body: "abc" })
  const outside = await fetch(`${host.origin}/api/notes/count`)

  expect([inside.status, raw.status, outside.status]).toEqual([200, 200, 404])
  await host.stop()
})

test("a mount that the app can never be reached at is an error which says what to set", async () => {
  await using world = await hostWorld()
  const errors: string[] = []
  const note: ErrorRequestHandler = (error, _request, response, _next) => {
    errors.push(error.message)
    response.status(500).end()
  }
  const host = await listen(createServer(express().use("/v2", kitMiddleware(world.app)).use(note)))

  const answer = await fetch(`${host.origin}/v2/notes`)

  expect(answer.status).toBe(500)
  expect(errors).toEqual([
    expect.stringContaining('Set basePath in kit.config.ts to the whole path, such as "/v2/api".'),
  ])
  await host.stop()
})
