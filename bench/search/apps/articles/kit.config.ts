import { defineConfig } from "kit"
import { offlineEmbedder } from "kit/embedders"

export default defineConfig({
  app: { name: "bench-articles" },
  basePath: "/",
  log: { requests: false },
  search: { embedder: offlineEmbedder() },
})
