import { defineConfig } from "kit"

// All editors come from one address and have one session, so nothing is limited by either.
export default defineConfig({
  app: { name: "bench-documents" },
  basePath: "/",
  limits: { rate: false },
  realtime: { connectionsPerAddress: 5_000 },
  log: { requests: false },
})
