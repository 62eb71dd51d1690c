import { defineConfig } from "kit"

export default defineConfig({ basePath: "/api", auth: { signUp: true }, limits: { rate: false } })
