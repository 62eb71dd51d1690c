import { defineConfig } from "kit"

// The limit is high because all subscribers of the live rows come from one address. Requests have no log line, because
// the server that is compared with writes none.
export default defineConfig({
  app: { name: "bench" },
  basePath: "/",
  realtime: { connectionsPerAddress: 5_000 },
  log: { requests: false },
})
