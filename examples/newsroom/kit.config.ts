import { defineConfig } from "kit"

export default defineConfig({
  app: { name: "newsroom", note: "sign in as editor@example.com / newsroom" },
  basePath: "/api",
  auth: { signUp: true },
  locales: { default: "en", all: ["en", "sk"] },
})
