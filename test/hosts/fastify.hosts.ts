import fastify from "fastify"
import { kitPlugin } from "kit/adapters/fastify"
import { expect, test } from "vitest"
import { describeHost } from "./support/conformance.ts"
import { hostWorld } from "./support/host-world.ts"

describeHost({
  name: "Fastify 5",
  tellsAddress: true,
  refusesBadPaths: true,
  start: async (app) => {
    const server = fastify()
    await server.register(kitPlugin, { app })
    server.get("/host/ping", () => "pong")
    const origin = await server.listen({ port: 0, host: "127.0.0.1" })
    return { origin, stop: () => server.close() }
  },
})

test("the host keeps its parsers, and its hooks hold for the app's answers", async () => {
  await using world = await hostWorld()
  const server = fastify()
  server.addHook("onRequest", async (_request, reply) => void reply.header("x-host", "here"))
  await server.register(kitPlugin, { app: world.app })
  server.post("/host/echo", ({ body }) => body)
  const origin = await server.listen({ port: 0, host: "127.0.0.1" })
  const post = { method: "POST", body: '{"a":1}', headers: { "content-type": "application/json" } }

  const echo = await fetch(`${origin}/host/echo`, post)
  const query = await fetch(`${origin}/api/notes/query`, { ...post, body: "{}" })

  expect(await echo.json()).toEqual({ a: 1 })
  expect([query.status, query.headers.get("x-host")]).toEqual([200, "here"])
  await server.close()
})

test("a prefix is a part of the base path, or the start says what to set", async () => {
  await using world = await hostWorld({ basePath: "/v1/api" })
  const right = fastify()
  const wrong = fastify()

  await right.register(kitPlugin, { app: world.app, prefix: "/v1" })
  await expect(async () => wrong.register(kitPlugin, { app: world.app, prefix: "/v2" })).rejects.toThrow(
    'Set basePath in kit.config.ts to the whole path, such as "/v2/api".',
  )
  const origin = await right.listen({ port: 0, host: "127.0.0.1" })

  expect((await fetch(`${origin}/v1/api/notes/count`)).status).toBe(200)
  await right.close()
})

test("requests that are injected are answered as those from outside", async () => {
  await using world = await hostWorld()
  const server = fastify()
  await server.register(kitPlugin, { app: world.app })
  const headers = { "content-type": "application/json" }

  const found = await server.inject({ method: "POST", url: "/api/notes/query", headers, payload: "{}" })
  const raw = await server.inject({ method: "POST", url: "/api/bytes", payload: "abc" })

  expect([found.statusCode, found.json()]).toMatchObject([200, { totalDocs: 0 }])
  expect(raw.json()).toEqual({ length: 3 })
  await server.close()
})
