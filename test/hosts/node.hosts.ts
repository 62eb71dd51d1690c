import { createServer } from "node:http"
import { toNodeListener } from "kit/adapters/node"
import { describeHost } from "./support/conformance.ts"
import { listen } from "./support/running-host.ts"

describeHost({
  name: "a server of node:http",
  tellsAddress: true,
  start: (app) => {
    const answer = toNodeListener(app, (_request, response) => void response.writeHead(404).end("no such page"))
    const server = createServer((request, response) =>
      request.url === "/host/ping" ? response.end("pong") : answer(request, response),
    )
    return listen(server)
  },
})
