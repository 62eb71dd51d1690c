import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { chooseBinaries } from "../../src/app/config/defaults.ts"
import { bundledLibraries } from "../../src/drivers/embedded-postgres/files/bundled-libraries.ts"
import { installedBinaries } from "../../src/drivers/embedded-postgres/files/installed-binaries.ts"
import { PLAIN_ACCOUNT, World } from "./embedded-postgres-world.ts"

const REMEDY = /db\.embedded\.binaries.*KIT_POSTGRES_BIN/

test("programs are found in the folder itself or in bin below it, and tell their version", async () => {
  await using world = new World()
  const bin = join(world.root, "bin")
  writePrograms(bin, { postgres: script("postgres (PostgreSQL) 16.4 (Debian 16.4-1)"), initdb: script("") })

  const [direct, below] = [
    await installedBinaries(bin, PLAIN_ACCOUNT),
    await installedBinaries(world.root, PLAIN_ACCOUNT),
  ]

  expect(direct).toEqual({ postgres: `${bin}/postgres`, initdb: `${bin}/initdb`, version: "16.4", major: "16" })
  expect(below).toEqual(direct)
})

test("a folder that is not there, is a file, or lacks a program is an error that says what to do", async () => {
  await using world = new World()
  writePrograms(world.root, { postgres: script("postgres (PostgreSQL) 16.4") })
  const [nowhere, file] = [join(world.root, "nowhere"), join(world.root, "postgres")]

  await expect(installedBinaries(nowhere, PLAIN_ACCOUNT)).rejects.toThrow(`The folder ${nowhere} for the programs`)
  await expect(installedBinaries(nowhere, PLAIN_ACCOUNT)).rejects.toThrow(REMEDY)
  await expect(installedBinaries(file, PLAIN_ACCOUNT)).rejects.toThrow(`${file} is a file`)
  await expect(installedBinaries(world.root, PLAIN_ACCOUNT)).rejects.toThrow(`There is no initdb in ${world.root}`)
})

test("a version that is too old is refused", async () => {
  await using world = new World()
  writePrograms(world.root, { postgres: script("postgres (PostgreSQL) 14.9"), initdb: script("") })

  const finding = installedBinaries(world.root, PLAIN_ACCOUNT)

  await expect(finding).rejects.toThrow(/are PostgreSQL 14\.9, and kit needs 15 or newer/)
})

test("programs that cannot be run are refused with the reason", async () => {
  await using world = new World()
  const [closed, broken] = [join(world.root, "closed"), join(world.root, "broken")]
  writePrograms(closed, { postgres: script("postgres (PostgreSQL) 16.4"), initdb: script("") })
  chmodSync(join(closed, "postgres"), 0o644)
  const failing = "#!/bin/sh\necho 'error while loading shared libraries: libx' >&2\nexit 127\n"
  writePrograms(broken, { postgres: failing, initdb: script("") })

  await expect(installedBinaries(closed, PLAIN_ACCOUNT)).rejects.toThrow(/cannot be run as user \d+: .*EACCES/)
  await expect(installedBinaries(broken, PLAIN_ACCOUNT)).rejects.toThrow("error while loading shared libraries: libx")
})

test("a relative folder is below the folder of the app", () => {
  const named = { config: { db: { embedded: { binaries: "vendor/bin" } } }, root: "/srv/app" }

  expect(chooseBinaries(named)).toBe("/srv/app/vendor/bin")
})

test("the libraries of the programs that come with kit tell their versions", () => {
  const libraries = bundledLibraries()

  const names = libraries.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(["OpenSSL", "zlib", "libxml2"]))
  for (const { version } of libraries) expect(version).toMatch(/^\d+\.\d+\.\d+[a-z]*$/)
})

function script(output: string): string {
  return `#!/bin/sh\necho '${output}'\n`
}

function writePrograms(folder: string, programs: Readonly<Record<string, string>>): void {
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o755)
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(folder, name), text)
    chmodSync(join(folder, name), 0o755)
  }
}
