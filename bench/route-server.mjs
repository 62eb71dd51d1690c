import { createServer } from "node:http"

// The route of the app by hand: node:http and one JSON.stringify, nothing else.

const server = createServer((_request, response) => {
  const text = JSON.stringify({ status: "ok", names: ["one", "two", "three"] })
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) })
  response.end(text)
})
server.listen(Number(process.env["PORT"]), "127.0.0.1")
process.on("SIGTERM", () => process.exit())
