import { Elysia } from "elysia"
import { kitPlugin } from "kit/adapters/elysia"
import { describeHost } from "./support/conformance.ts"
import { listenWithFetch } from "./support/running-host.ts"

describeHost({
  name: "Elysia",
  tellsAddress: false,
  start: (app) => {
    const server = new Elysia().get("/host/ping", () => "pong").use(kitPlugin(app))
    return listenWithFetch((request) => server.fetch(request))
  },
})
