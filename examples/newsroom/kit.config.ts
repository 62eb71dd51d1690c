import { defineConfig } from "kit"

export default defineConfig({
  app: { name: "newsroom" },
  basePath: "/api",
  auth: { signUp: true },
  locales: { default: "en", all: ["en", "sk"] },
  // Everyone of the newsroom works in the console at /admin; readers who have signed up themselves do not.
  console: {
    access: ({ session }) => session !== null && session.user.role !== "user",
    brand: { name: "Newsroom", accent: "#2453d6" },
  },
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
