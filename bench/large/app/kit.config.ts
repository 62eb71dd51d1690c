import { defineConfig } from "kit"

// Requests have no log line, because SQL by hand writes none.
export default defineConfig({ app: { name: "bench" }, basePath: "/", log: { requests: false } })
