import type { Server } from "node:http"
import { createAdaptorServer } from "@hono/node-server"
import { Hono } from "hono"
import { kitMiddleware } from "kit/adapters/hono"
import { describeHost } from "./support/conformance.ts"
import { listen } from "./support/running-host.ts"

describeHost({
  name: "Hono",
  tellsAddress: true,
  start: (app) => {
    const server = new Hono()
    server.get("/host/ping", (context) => context.text("pong"))
    server.use(kitMiddleware(app))
    // Without options for it, what comes back is a server of node:http.
    return listen(createAdaptorServer(server) as Server)
  },
})
