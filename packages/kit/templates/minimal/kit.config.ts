import { defineConfig } from "kit"

export default defineConfig({ app: { name: "{{name}}" } })
