import fastify from "fastify"
import { kitPlugin } from "kit/adapters/fastify"
import { describeHost } from "./support/conformance.ts"

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
