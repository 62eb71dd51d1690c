import { defineConfig } from "vitest/config"
import base from "./vitest.config.ts"

// The tests about what the engine does, which are run once more with its shortcuts off and once more with one connection.
// The others start processes of their own, or are about what stands in front of the engine: they would do the same again.
const NOT_ABOUT_THE_ENGINE = [
  "packages/**",
  "examples/**",
  "test/{cli,experiments,openapi}/**",
  "test/migrations/{migrate,seeds-together}*.test.ts",
  "test/attacks/{connections,hosts,redirects,guessing}.test.ts",
  "test/handlers/{smtp,mail-preview,author-stacks}.test.ts",
  "test/http/{server-stop,cors,log-redaction}.test.ts",
  "test/identity/{quiet-sign-up,lazy-identity}.test.ts",
  "test/database/full-disk.test.ts",
  "test/introspection/{large-index,declared-texts}.test.ts",
]

export default defineConfig({
  ...base,
  test: { ...base.test, include: ["test/*/*.test.ts"], exclude: NOT_ABOUT_THE_ENGINE },
})
