import { defineConfig } from "kit"

export default defineConfig({
  app: { name: "newsroom" },
  basePath: "/api",
  auth: { signUp: true },
  locales: { default: "en", all: ["en", "sk"] },
  // Vite writes the pages of web/ there: `npm run build:web`.
  web: { dir: "web/dist", spa: true },
  // The seed creates these users.
  dev: {
    signIns: [
      { email: "editor@example.com", password: "newsroom" },
      { email: "jonas@example.com", password: "newsroom" },
      { email: "admin@example.com", password: "newsroom" },
    ],
  },
})
