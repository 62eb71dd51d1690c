import { createHash } from "node:crypto"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { CONFIG_FILE } from "../../app/config/config.ts"
import { MIGRATIONS_FOLDER } from "../../app/definition/migration-files.ts"
import { discover } from "./discover.ts"

export const BUILD_FOLDER = "dist"
/** The name of the build record. The record is written last, so its presence means that the build is complete. */
export const BUILD_RECORD = "kit-build.json"
export const BUILT_APP = "app.js"
export const BUILT_CONFIG = "config.js"
export const BUILT_MIGRATIONS = "migrations"
/** The first line of every module that `kit build` writes. */
export const BUILD_BANNER = "// Written by kit build; changes are lost."
const TYPESCRIPT_CONFIG = "tsconfig.json"

// The version of the build record, incremented when the layout of a build changes.
const FORMAT = 1

/** The contents of the build record. */
export interface Build {
  readonly format: typeof FORMAT
  /** The paths of the files in the build, relative to the build folder. */
  readonly outputs: readonly string[]
  /** The checksum of every input file, by the file's path relative to the app's folder. */
  readonly inputs: Readonly<Record<string, string>>
}

/** Returns the record of the app's build; undefined without a build, or if the record has another format version. */
export async function readBuild(root: string): Promise<Build | undefined> {
  try {
    // The cast is safe: `kit build` writes this file, and the format number reveals a record of another kit version.
    const build = JSON.parse(await readFile(join(root, BUILD_FOLDER, BUILD_RECORD), "utf8")) as Build
    return build.format === FORMAT ? build : undefined
  } catch {
    // The build record is missing, or only part of it was written. In both cases there is no complete build.
    return undefined
  }
}

/** Creates the build record from the current contents of the input files. */
export async function createBuildRecord(root: string, made: { inputs: readonly string[]; outputs: readonly string[] }) {
  const entries = made.inputs.map(async (file): Promise<[string, string]> => [file, await checksumOf(root, file)])
  const build: Build = { format: FORMAT, outputs: made.outputs, inputs: Object.fromEntries(await Promise.all(entries)) }
  return build
}

/** Returns the existing files, other than modules, that a build depends on: configuration files and migrations. */
export async function otherInputs(root: string): Promise<readonly string[]> {
  const migrations = await readdir(join(root, MIGRATIONS_FOLDER)).catch(() => [])
  const present = await readdir(root)
  return [
    ...[CONFIG_FILE, TYPESCRIPT_CONFIG].filter((file) => present.includes(file)),
    ...migrations.filter((name) => /\.(sql|json)$/.test(name)).map((name) => `${MIGRATIONS_FOLDER}/${name}`),
  ]
}

interface SourceChange {
  readonly file: string
  /** True if the app could be served from its sources instead of its build. */
  readonly hasSources: boolean
}

/**
 * Finds a source file that has changed since the build. If no sources are present at all, they were left out on purpose
 * and do not count as changed.
 */
export async function findChange(root: string, { inputs }: Build): Promise<SourceChange | undefined> {
  const modules = (await discover(root)).map(({ file }) => file)
  const present = [...modules, ...(await otherInputs(root))]
  const hasSources = modules.length > 0
  const candidates = hasSources ? new Set([...present, ...Object.keys(inputs)]) : present
  for (const file of candidates) {
    const known = Object.hasOwn(inputs, file) ? inputs[file] : ""
    if ((await checksumOf(root, file)) !== known) return { file, hasSources }
  }
  return undefined
}

// Returns the checksum of a file's contents. A missing file gets a constant, which differs from every checksum.
async function checksumOf(root: string, file: string): Promise<string> {
  const content = await readFile(join(root, file)).catch(() => undefined)
  return content === undefined ? "gone" : createHash("sha256").update(content).digest("base64url")
}
