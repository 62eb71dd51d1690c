import { Elysia } from "elysia"
import { kitPlugin } from "kit/adapters/elysia"
import { expect, test } from "vitest"
import { describeHost } from "./support/conformance.ts"
import { hostWorld } from "./support/host-world.ts"
import { listenWithFetch } from "./support/running-host.ts"

describeHost({
  name: "Elysia",
  tellsAddress: false,
  start: (app) => {
    const server = new Elysia().get("/host/ping", () => "pong").use(kitPlugin(app))
    return listenWithFetch((request) => server.fetch(request))
  },
})

test("a prefix is a part of the base path, or the start says what to set", async () => {
  await using world = await hostWorld({ basePath: "/v1/api" })
  const right = new Elysia({ prefix: "/v1" }).use(kitPlugin(world.app))

  const answer = await right.fetch(new Request("http://localhost/v1/api/notes/count"))

  expect(answer.status).toBe(200)
  expect(() => new Elysia({ prefix: "/v2" }).use(kitPlugin(world.app))).toThrow('such as "/v2/api".')
})
