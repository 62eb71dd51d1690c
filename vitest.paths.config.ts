import { defineConfig } from "vitest/config"
import base from "./vitest.config.ts"

// The tests about what the engine does, which are run once more with its shortcuts off and once more with one connection.
// The others start processes of their own, or are about what stands in front of the engine: they would do the same again.
const NOT_ABOUT_THE_ENGINE = [
  "packages/**",
  "examples/**",
  "test/{command-line,db-move,smtp,migrate,seeds-together,full-disk}*.test.ts",
  "test/{server-stop,attacks-connections,attacks-hosts,attacks-redirects,attacks-guessing,quiet-sign-up}*.test.ts",
  "test/{mail-preview,author-stacks,generate-mistakes,lazy-identity,cors,log-redaction,testing}*.test.ts",
]

export default defineConfig({
  ...base,
  test: { ...base.test, include: ["test/*.test.ts"], exclude: NOT_ABOUT_THE_ENGINE },
})
