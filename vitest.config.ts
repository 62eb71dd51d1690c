import { defaultServerConditions } from "vite"
import { configDefaults, defineConfig } from "vitest/config"
import { LongFirst } from "./test/support/long-first.ts"

/** Tests that put the machine under load, or wait for most of their time: crashes, silence, processes side by side. */
export const EXPERIMENTS = [
  "test/experiments/*.test.ts",
  "packages/kit/test/drivers/{embedded-postgres-recovery,postgres-silence}.test.ts",
  "test/channels/channels-processes.test.ts",
  "test/database/fair-pool.test.ts",
  "test/identity/password-semaphore.test.ts",
  "test/live/live-silence.test.ts",
  "test/migrations/migrate-together.test.ts",
]

export default defineConfig({
  // Tests run the sources, not the build.
  ssr: { resolve: { conditions: ["kit-source", ...defaultServerConditions] } },
  test: {
    include: ["packages/kit/test/**/*.test.ts", "test/*/*.test.ts", "examples/*/test/**/*.test.ts"],
    exclude: [...configDefaults.exclude, ...EXPERIMENTS],
    reporters: ["default", "./scripts/count-reporter.mjs"],
    globalSetup: ["test/support/global-setup.ts"],
    // Half of the tests wait for Postgres or another process: three at a time keep two cores busy.
    maxWorkers: 3,
    // Loading the framework takes longer than most files do, so the files of a worker share it. None keeps state behind.
    isolate: false,
    sequence: { sequencer: LongFirst },
    restoreMocks: true,
    unstubGlobals: true,
    // These end what hangs; they are no bars. On a busy machine everything may take ten times as long.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
