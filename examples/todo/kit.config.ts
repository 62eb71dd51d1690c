import { defineConfig } from "kit"

export default defineConfig({ app: { name: "todo" }, basePath: "/api", web: { dir: "web/dist" } })
