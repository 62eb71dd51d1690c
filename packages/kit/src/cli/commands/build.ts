import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { performance } from "node:perf_hooks"
import { CONFIG_FILE } from "../../app/config/config.ts"
import { checkApp } from "../../app/definition/check-app.ts"
import { MIGRATIONS_FOLDER, readMigrations } from "../../app/definition/migration-files.ts"
import { checkMigrated } from "../../engine/migrate/apply-migrations.ts"
import {
  BUILD_BANNER,
  BUILD_FOLDER,
  BUILD_RECORD,
  BUILT_MIGRATIONS,
  createBuildRecord,
  otherInputs,
  readBuild,
} from "../sources/build-record.ts"
import { type Bundle, bundle } from "../sources/bundle.ts"
import { discover } from "../sources/discover.ts"
import { loadApp, loadConfig } from "../sources/load-app.ts"
import { sourceModules } from "../sources/source-modules.ts"
import { tryBuild } from "../sources/try-build.ts"
import { CommandFailure } from "../terminal/arguments.ts"
import { showLine } from "../terminal/show.ts"
import { findOutdated } from "./generate.ts"

/** Checks the app and bundles its files, so that the app starts without a compiler and without its sources. */
export async function build(): Promise<void> {
  const root = process.cwd()
  await checkSources(root)
  const others = await otherInputs(root)
  const bundled = await bundle(root, { files: await discover(root), hasConfig: others.includes(CONFIG_FILE) })
  const migrations = others.filter((file) => file.startsWith(`${MIGRATIONS_FOLDER}/`))
  const inputs = [...new Set([...bundled.inputs, ...others])].sort()
  const outputs = [...bundled.outputs.keys(), ...migrations.map(builtPath)].sort()
  const record = await createBuildRecord(root, { inputs, outputs })
  await refuseForeign(root, bundled)
  await removeOld(root)
  await writeBundle(root, bundled)
  for (const file of migrations) await copyInto(root, file)
  await tryBuild(root)
  await writeFile(join(root, BUILD_FOLDER, BUILD_RECORD), `${JSON.stringify(record, null, 2)}\n`)
  const seconds = (performance.now() / 1000).toFixed(2)
  showLine(`built ${inputs.length} files into ${BUILD_FOLDER} in ${seconds} s. kit start serves it.`)
}

async function checkSources(root: string): Promise<void> {
  const app = await loadApp(root, await loadConfig(root, sourceModules(root)))
  const { schema } = await checkApp(app)
  checkMigrated(schema, await readMigrations(root))
  const outdated = await findOutdated(app)
  if (outdated.length > 0) showLine(`${outdated.join(", ")}: out of date. Run kit generate.`)
}

// Refuses to overwrite files that `kit build` did not write, because another tool may build into the same folder.
async function refuseForeign(root: string, { outputs }: Bundle): Promise<void> {
  for (const output of [...outputs.keys()].filter((name) => name.endsWith(".js"))) {
    const present = await readFile(join(root, BUILD_FOLDER, output), "utf8").catch(() => BUILD_BANNER)
    if (!present.startsWith(BUILD_BANNER))
      throw new CommandFailure(`${BUILD_FOLDER}/${output} is not from kit build. Move it away; nothing was written.`)
  }
}

// Removes only files that an earlier build has written, because other tools may keep files in the build folder too.
async function removeOld(root: string): Promise<void> {
  const old = await readBuild(root)
  await rm(join(root, BUILD_FOLDER, BUILD_RECORD), { force: true })
  for (const output of old?.outputs ?? []) await rm(join(root, BUILD_FOLDER, output), { force: true })
}

async function writeBundle(root: string, { outputs }: Bundle): Promise<void> {
  for (const [output, contents] of outputs) {
    const path = join(root, BUILD_FOLDER, output)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, contents)
  }
}

function builtPath(migration: string): string {
  return `${BUILT_MIGRATIONS}/${basename(migration)}`
}

async function copyInto(root: string, migration: string): Promise<void> {
  const path = join(root, BUILD_FOLDER, builtPath(migration))
  await mkdir(dirname(path), { recursive: true })
  await copyFile(join(root, migration), path)
}
