import { defineConfig } from "vitest/config"

export default defineConfig({
  // The first run creates the database of the tests, which takes some seconds.
  test: { include: ["test/**/*.test.ts"], testTimeout: 60_000 },
})
