import { createHash } from "node:crypto"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { CONFIG_FILE } from "../../app/config/config.ts"
import { MIGRATIONS_FOLDER } from "../commands/migration-files.ts"
import { discover } from "./discover.ts"

export const BUILD_FOLDER = "dist"
/** Written last, so that a build is there when it is whole. */
export const BUILD_RECORD = "kit-build.json"
export const BUILT_APP = "app.js"
export const BUILT_CONFIG = "config.js"
export const BUILT_MIGRATIONS = "migrations"
/** How every module of a build begins. */
export const BUILD_BANNER = "// Written by kit build; changes are lost."
export const TYPESCRIPT_CONFIG = "tsconfig.json"

// Changes with what a build consists of.
const FORMAT = 1

/** What a build was made of. */
export interface Build {
  readonly format: typeof FORMAT
  /** The files of the build, from its folder. */
  readonly outputs: readonly string[]
  /** The checksum of every file that went into it, by its path from the root of the app. */
  readonly inputs: Readonly<Record<string, string>>
}

/** The build of the app in this folder; undefined if there is none, or one that this version cannot read. */
export async function readBuild(root: string): Promise<Build | undefined> {
  try {
    // Written by kit build; another version says so by its format.
    const build = JSON.parse(await readFile(join(root, BUILD_FOLDER, BUILD_RECORD), "utf8")) as Build
    return build.format === FORMAT ? build : undefined
  } catch {
    // Missing, or cut off while it was written: either way there is no whole build.
    return undefined
  }
}

/** Notes what the build is made of, as the files are now. */
export async function recordOf(root: string, made: { inputs: readonly string[]; outputs: readonly string[] }) {
  const entries = made.inputs.map(async (file): Promise<[string, string]> => [file, await checksumOf(root, file)])
  const build: Build = { format: FORMAT, outputs: made.outputs, inputs: Object.fromEntries(await Promise.all(entries)) }
  return build
}

/** The files besides modules that a build depends on, where they exist. */
export async function otherInputs(root: string): Promise<readonly string[]> {
  const migrations = await readdir(join(root, MIGRATIONS_FOLDER)).catch(() => [])
  const present = await readdir(root)
  return [
    ...[CONFIG_FILE, TYPESCRIPT_CONFIG].filter((file) => present.includes(file)),
    ...migrations.filter((name) => /\.(sql|json)$/.test(name)).map((name) => `${MIGRATIONS_FOLDER}/${name}`),
  ]
}

export interface SourceChange {
  readonly file: string
  /** Whether the app could be served from its sources instead. */
  readonly hasSources: boolean
}

/** A file that is no longer what went into the build. Sources that are all absent have been left behind on purpose. */
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

// A file that is not there has no checksum, and so differs from one that was.
async function checksumOf(root: string, file: string): Promise<string> {
  const content = await readFile(join(root, file)).catch(() => undefined)
  return content === undefined ? "gone" : createHash("sha256").update(content).digest("base64url")
}
