import { createServer } from "node:http"
import express from "express"
import { kitMiddleware } from "kit/adapters/express"
import { describeHost } from "./support/conformance.ts"
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
