import { defineConfig } from "vitest/config"
import base from "./vitest.config.ts"

// The commands and examples of the pages, run in a fresh copy of the repository. They start databases of their own.
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ["test/docs/*.docs.ts"],
    globalSetup: ["test/docs/global-setup.ts"],
    testTimeout: 300_000,
    hookTimeout: 600_000,
  },
})
