import { defineConfig } from "vitest/config"
import base from "./vitest.config.ts"

// Installs or builds something large, and the promises at their full count (test/support/count.ts); run by hand.
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    exclude: [],
    include: [
      "test/long/*.long.ts",
      "test/experiments/promises*.test.ts",
      "test/migrations/migrate-together.test.ts",
      "test/access/rules-back-oracle.test.ts",
      "test/documents-editors/lost-text.test.ts",
      "test/dry-run/dry-run-oracle.test.ts",
      "test/search/index-oracle.test.ts",
      "test/search-words/hostile-highlights.test.ts",
      "test/documents-live/documents-hostile-editors.test.ts",
      "test/experiments/json-schema-oracle.test.ts",
    ],
    env: { KIT_TEST_LONG: "1" },
    // Each experiment puts the machine under load; two at a time would measure each other.
    maxWorkers: 1,
    testTimeout: 1_800_000,
  },
})
