import { existsSync, readdirSync } from "node:fs"
import startTestRun from "../support/global-setup.ts"

const DEBIAN = "/usr/lib/postgresql"

/** Starts the database of the run with the programs of an installed PostgreSQL: the newest of Debian, unless another is named. */
export default function setup(): Promise<() => Promise<void>> {
  process.env["KIT_POSTGRES_BIN"] ||= newestOfDebian()
  delete process.env["DATABASE_URL"]
  return startTestRun()
}

function newestOfDebian(): string {
  const majors = existsSync(DEBIAN) ? readdirSync(DEBIAN).map(Number) : []
  if (majors.length === 0)
    throw new Error("No PostgreSQL is installed. Install one, or name its folder in KIT_POSTGRES_BIN.")
  return `${DEBIAN}/${Math.max(...majors)}/bin`
}
