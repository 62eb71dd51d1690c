import { existsSync, readdirSync } from "node:fs"
import { defineConfig } from "vitest/config"
import base from "./vitest.config.ts"

// The embedded database with the programs of an installed PostgreSQL, the newest of Debian unless another is named: its own
// tests, and some of those that go through the front door, as an older version has fewer shortcuts.
process.env["KIT_POSTGRES_BIN"] ||= newestOfDebian()
delete process.env["DATABASE_URL"]

const FRONT_DOOR =
  "{bulk,changes,field-types,filters,groups,hooks,jobs,live,localized,nested-writes,old-rows,reads,revision,soft-delete,stages,sync,to-many,uploads,versions,where-oracle,writes}"
const EXPERIMENTS = "{embedded-recovery,promises-concurrency}"

export default defineConfig({
  ...base,
  test: {
    ...base.test,
    exclude: [],
    include: [
      "test/binaries/*.binaries.ts",
      `test/!(attacks)/${FRONT_DOOR}.test.ts`,
      `test/experiments/${EXPERIMENTS}.test.ts`,
    ],
  },
})

function newestOfDebian(): string {
  const folder = "/usr/lib/postgresql"
  const majors = existsSync(folder) ? readdirSync(folder).map(Number) : []
  if (majors.length === 0)
    throw new Error("No PostgreSQL is installed. Install one, or name its folder in KIT_POSTGRES_BIN.")
  return `${folder}/${Math.max(...majors)}/bin`
}
