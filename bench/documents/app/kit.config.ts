import { defineConfig } from "kit"

// All editors come from one address and have one session, so nothing is limited by either.
export default defineConfig({
  app: { name: "bench-documents" },
  basePath: "/",
  limits: { rate: false },
  realtime: { connectionsPerUser: 5_000, queriesPerUser: 5_000 },
  log: { requests: false },
})
