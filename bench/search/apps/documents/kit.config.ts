import { defineConfig } from "kit"

// Requests have no log line, because the server that is compared with writes none.
export default defineConfig({
  app: { name: "bench-documents" },
  basePath: "/",
  log: { requests: false },
})
