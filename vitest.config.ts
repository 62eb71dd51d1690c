import { fileURLToPath } from "node:url"
import { defaultServerConditions } from "vite"
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from "vitest/config"
import { LongFirst } from "./test/support/long-first.ts"
import { filesTagged } from "./test/support/tagged-files.ts"

// A test file carries tags in its first lines, as `// @module-tag NAME`.
const TAGS = {
  /** Puts the machine under load, starts many processes, or waits for most of its time: crashes, silence, compilers. */
  experiment: "runs in `experiments` instead of `tests`",
  /** Repeats more often where KIT_TEST_LONG is set: test/support/count.ts. */
  "full-count": "runs once more in `long`",
  /** Goes through the front door, or is about the embedded database: an older version of PostgreSQL has fewer shortcuts. */
  "installed-postgres": "runs once more in `binaries`",
  // A test is about what the engine does, and runs once more in `general-path` and in `one-connection`, unless it would do the
  // same again.
  /** Starts processes of its own, is about what stands in front of the engine, or has nothing to do with its requests. */
  "not-about-engine": "runs neither in `general-path` nor in `one-connection`",
  /**
   * The shortcuts are about reads that Postgres writes as JSON, writes and deletes in one statement, searches by the stored index
   * alone, and sessions that kit reads itself. The others carry this, and those that compare both ways themselves, in any run, or
   * measure a shortcut.
   */
  "not-about-shortcuts": "does not run in `general-path`",
  /**
   * With one connection, whatever asks for a second one while it holds the first never ends: in transactions, hooks, rules,
   * handlers, live queries, uploads and identity. A search, or a filter, is one statement. A seed that stores a file needs two:
   * the file must be known although the seed may still fail. Some tests start their apps without the setting.
   */
  "not-about-connections": "does not run in `one-connection`",
}

// One of them is run at a time. `npm test` and `vitest` without `--project` run the first.
const projects = [
  project("tests", {
    include: ["packages/kit/test/**/*.test.ts", "test/*/*.test.ts", "examples/*/test/**/*.test.ts"],
    exclude: [...configDefaults.exclude, ...tagged("experiment")],
  }),
  // The promises and the long experiments in a short, seeded form: crashes, silence, full disks, deployments, two worlds.
  project("experiments", { include: tagged("experiment") }),
  // Every shortcut of the engine turned off.
  project("general-path", {
    include: ["test/*/*.test.ts"],
    exclude: tagged("experiment", "not-about-engine", "not-about-shortcuts"),
    env: { KIT_GENERAL_PATH: "1" },
  }),
  project("one-connection", {
    include: ["test/*/*.test.ts"],
    exclude: tagged("experiment", "not-about-engine", "not-about-connections"),
    env: { KIT_TEST_POOL: "1" },
  }),
  // They need a redis-server.
  project("redis", { include: ["test/redis/*.redis.ts"] }),
  // The embedded database with the programs of an installed PostgreSQL.
  project("binaries", {
    include: ["test/binaries/*.binaries.ts", ...tagged("installed-postgres")],
    globalSetup: ["test/binaries/global-setup.ts"],
  }),
  // The adapters in the real frameworks.
  project("hosts", { include: ["test/hosts/*.hosts.ts"] }),
  // The client in a real browser.
  project("browser", { include: ["test/browser/*.browser.ts"] }),
  // The console in a real browser. One file at a time: some of them measure the page.
  project("console", {
    include: ["test/console/**/*.console.ts"],
    globalSetup: ["test/support/global-setup.ts", "test/console/support/global-setup.ts"],
    maxWorkers: 1,
  }),
  // The costs of the console in a page. By hand, on a machine that does nothing else.
  project("console-bars", {
    include: ["test/console/**/*.bars.ts"],
    globalSetup: ["test/support/global-setup.ts", "test/console/support/global-setup.ts"],
    maxWorkers: 1,
  }),
  // The logic of the console that needs no browser.
  project("console-units", { include: ["packages/console/test/**/*.test.ts"], globalSetup: [] }),
  // The tests of `kit/react` and `kit/tanstack` with both versions of React. That of the workspace is 19.
  reactProject("react-18", {
    react: folder("./test/react/react-18/node_modules/react"),
    "react-dom": folder("./test/react/react-18/node_modules/react-dom"),
  }),
  reactProject("react-19", {}),
  // The commands and examples of the pages, run in a fresh copy of the repository. They start databases of their own.
  project("docs", {
    include: ["test/docs/*.docs.ts"],
    globalSetup: ["test/docs/global-setup.ts"],
    hookTimeout: 600_000,
  }),
  // Installs or builds something large, and the promises at their full count (test/support/count.ts); run by hand.
  project("long", {
    include: ["test/long/*.long.ts", ...tagged("full-count")],
    env: { KIT_TEST_LONG: "1" },
    // Each experiment puts the machine under load; two at a time would measure each other.
    maxWorkers: 1,
    testTimeout: 1_800_000,
  }),
]

const isProjectNamed = process.argv.some((argument) => argument.startsWith("--project"))

export default defineConfig({
  test: {
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    projects: isProjectNamed ? projects : projects.slice(0, 1),
    reporters: ["default", "./scripts/count-reporter.mjs"],
    // Keeps what is transformed for the next run. An entry may name a file that has been moved since, so this is for a
    // tree that does not change.
    experimental: { fsModuleCache: process.env["KIT_TEST_CACHE"] === "1" },
    sequence: { sequencer: LongFirst },
    teardownTimeout: 60_000,
  },
})

function project(name: string, options: TestProjectInlineConfiguration["test"]): TestProjectInlineConfiguration {
  return {
    // Tests run the sources, not the build.
    ssr: { resolve: { conditions: ["kit-source", ...defaultServerConditions] } },
    test: {
      name,
      globalSetup: ["test/support/global-setup.ts"],
      // Half of the tests wait for Postgres or another process: three at a time keep two cores busy.
      maxWorkers: 3,
      // Loading the framework takes longer than most files do, so the files of a worker share it. None keeps state behind.
      isolate: false,
      restoreMocks: true,
      unstubGlobals: true,
      // These end what hangs; they are no bars. On a busy machine everything may take ten times as long.
      testTimeout: 300_000,
      hookTimeout: 300_000,
      expect: { poll: { timeout: 60_000 } },
      ...options,
    },
  }
}

function reactProject(name: string, alias: Record<string, string>): TestProjectInlineConfiguration {
  return {
    ...project(name, {
      include: ["test/react/*.react.tsx"],
      // Its imports of React have to be replaced, too.
      server: { deps: { inline: [/@tanstack/] } },
    }),
    resolve: { alias },
  }
}

function tagged(...tags: (keyof typeof TAGS)[]): string[] {
  return filesTagged(tags)
}

function folder(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url))
}
