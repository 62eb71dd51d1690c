import { defineConfig } from "kit"

export default defineConfig({
  app: { name: "{{name}}", note: "sign in as ada@example.com / first-program" },
})
