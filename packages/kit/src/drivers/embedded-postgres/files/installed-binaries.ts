import { existsSync, statSync } from "node:fs"
import { join } from "node:path"
import type { Binaries } from "./binaries.ts"
import { runAs } from "./run-as.ts"
import { canRead, type ServerUser } from "./unprivileged-user.ts"

/** The PostgreSQL programs that the configured folder must contain. */
const PROGRAMS = ["initdb", "postgres"]
const OLDEST_MAJOR = 15
const REMEDY =
  "Set db.embedded.binaries in kit.config.ts, or KIT_POSTGRES_BIN, to the folder that holds them " +
  "(such as /usr/lib/postgresql/17/bin), or remove the setting to use those that come with kit."

/** Finds the PostgreSQL programs in a folder that the operator has configured, or in the folder's `bin` subfolder. */
export async function installedBinaries(folder: string, user: ServerUser): Promise<Binaries> {
  const bin = findPrograms(folder)
  for (const path of [bin, ...PROGRAMS.map((name) => join(bin, name))]) refuseUnreadable(path, user)
  const version = await readVersion(join(bin, "postgres"), user)
  const major = String(Number.parseInt(version, 10))
  if (Number(major) < OLDEST_MAJOR) {
    throw new Error(
      `The programs in ${bin} are PostgreSQL ${version}, and kit needs ${OLDEST_MAJOR} or newer. ${REMEDY}`,
    )
  }
  return { initdb: join(bin, "initdb"), postgres: join(bin, "postgres"), version, major }
}

function findPrograms(folder: string): string {
  const stats = statSync(folder, { throwIfNoEntry: false })
  if (stats === undefined)
    throw new Error(`The folder ${folder} for the programs of PostgreSQL does not exist. ${REMEDY}`)
  if (!stats.isDirectory()) throw new Error(`${folder} is a file, not the folder of the PostgreSQL programs. ${REMEDY}`)
  const bin = [folder, join(folder, "bin")].find((candidate) => existsSync(join(candidate, "postgres"))) ?? folder
  const missing = PROGRAMS.filter((name) => !existsSync(join(bin, name)))
  if (missing.length === 0) return bin
  throw new Error(`There is no ${missing.join(" and no ")} in ${bin}. ${REMEDY}`)
}

function refuseUnreadable(path: string, user: ServerUser): void {
  if (canRead(user, path)) return
  throw new Error(
    `PostgreSQL refuses to run as root, so it runs as user ${user.uid}, who cannot read ${path}. ` +
      "Let every user read it and enter the directories above it, or name another folder in db.embedded.binaries.",
  )
}

async function readVersion(postgres: string, user: ServerUser): Promise<string> {
  const output = await runAs(user, { program: postgres, args: ["--version"] }).then(
    (result) => result.output,
    // The `postgres` program could not be run at all, so the error message takes the place of its output.
    (error: Error) => error.message,
  )
  const version = /^postgres \(.*?\) (\d+[\w.]*)/.exec(output)?.[1]
  if (version !== undefined) return version
  throw new Error(`${postgres} cannot be run as user ${user.uid}: ${output || "it prints no version"}. ${REMEDY}`)
}
