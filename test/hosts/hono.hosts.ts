import type { Server } from "node:http"
import { createAdaptorServer } from "@hono/node-server"
import { Hono } from "hono"
import { kitMiddleware } from "kit/adapters/hono"
import { expect, test } from "vitest"
import { describeHost } from "./support/conformance.ts"
import { hostWorld } from "./support/host-world.ts"
import { listen } from "./support/running-host.ts"

describeHost({
  name: "Hono",
  tellsAddress: true,
  start: (app) => {
    const server = new Hono()
    server.get("/host/ping", (context) => context.text("pong"))
    server.use(kitMiddleware(app))
    // Without options, the adaptor returns a server of node:http.
    return listen(createAdaptorServer(server) as Server)
  },
})

test("a body that a middleware has read through Hono is used again", async () => {
  await using world = await hostWorld()
  const server = new Hono()
  server.use(async (context, next) => {
    await context.req.json()
    await next()
  }, kitMiddleware(world.app))
  const init = { method: "POST", body: '{"where":{"title":"x"}}', headers: { "content-type": "application/json" } }

  const answer = await server.request("/api/notes/query", init)

  expect([answer.status, await answer.json()]).toMatchObject([200, { totalDocs: 0 }])
})

test("a body that was read past Hono is an error which says what to do", async () => {
  await using world = await hostWorld()
  const server = new Hono()
  server.use(async (context, next) => {
    await context.req.raw.text()
    await next()
  }, kitMiddleware(world.app))
  server.onError(({ message }, context) => context.text(message, 500))

  const answer = await server.request("/api/bytes", { method: "POST", body: "abc" })

  expect([answer.status, await answer.text()]).toEqual([500, expect.stringContaining("Put kit before the middleware")])
})

test("another runtime may tell the address of a caller", async () => {
  await using world = await hostWorld({ limits: { rate: { perAddress: { requests: 1, windowSeconds: 60 } } } })
  const server = new Hono().use(kitMiddleware(world.app, { addressOf: () => "192.0.2.1" }))

  const statuses = [(await server.request("/api/health")).status, (await server.request("/api/health")).status]

  expect(statuses).toEqual([200, 429])
})
