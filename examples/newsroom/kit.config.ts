import { defineConfig } from "kit"

export default defineConfig({
  app: { name: "newsroom" },
  basePath: "/api",
  auth: { signUp: true },
  locales: { default: "en", all: ["en", "sk"] },
  // The seed creates these users.
  dev: {
    signIns: [
      { email: "editor@example.com", password: "newsroom" },
      { email: "jonas@example.com", password: "newsroom" },
      { email: "admin@example.com", password: "newsroom" },
    ],
  },
})
