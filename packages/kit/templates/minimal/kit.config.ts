import { defineConfig } from "kit"

export default defineConfig({
  app: { name: "{{name}}" },
  // The seed creates this user.
  dev: { signIns: [{ email: "ada@example.com", password: "first-program" }] },
})
