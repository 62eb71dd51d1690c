import { defineConfig } from "vitest/config"

export default defineConfig({
  resolve: { conditions: ["kit-source"] },
  ssr: { resolve: { conditions: ["kit-source", "node", "import", "default"] } },
  test: {
    include: ["packages/kit/test/**/*.test.ts", "test/**/*.test.ts"],
    reporters: ["default", "./scripts/count-reporter.mjs"],
    globalSetup: ["test/support/global-setup.ts"],
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
})
