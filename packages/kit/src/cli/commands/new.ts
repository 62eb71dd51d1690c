import { mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import { basename, join, relative, resolve } from "node:path"
import { performance } from "node:perf_hooks"
import { didYouMean } from "../../wire/errors/did-you-mean.ts"
import { PACKAGE_ROOT } from "../package-root.ts"
import { lockFor, readTestedVersions } from "../project/lock-file.ts"
import { fillNewFolder } from "../project/new-folder.ts"
import { runNode, runNpm } from "../project/npm.ts"
import {
  isWorkspace,
  type Manifest,
  readTemplate,
  TEMPLATES,
  type TemplateName,
  writeTemplate,
} from "../project/template.ts"
import { type CommandArguments, CommandFailure, UsageError } from "../terminal/arguments.ts"
import { showLine } from "../terminal/show.ts"

const VENDOR = "vendor"
const MAX_NAME_CHARACTERS = 100

/** Creates a folder with an app that is ready to run and includes kit itself. */
export async function createFolder({ positionals, values }: CommandArguments): Promise<void> {
  const folder = readFolder(positionals)
  const template = readTemplateName(values["template"])
  const { files, manifest } = await readTemplate(template)
  const name = readName(folder, manifest)
  await fillNewFolder(folder, async () => {
    await writeTemplate(folder, withName(files, name))
    showLine(`${files.size + 1} files from the template ${template}`)
    const kit = await packKit(folder)
    await writeManifests(folder, { name, manifest, kit })
  })
  const isInstalled = values["no-install"] !== true
  if (isInstalled) await install(folder)
  showNext(folder, isInstalled)
}

function readFolder([given, ...more]: readonly string[]): string {
  if (given === undefined || given === "") throw new UsageError("Say where: kit new blog.")
  if (more.length > 0) throw new UsageError(`Give one folder, not ${more.length + 1}.`)
  return resolve(given)
}

function readTemplateName(value: string | boolean | undefined): TemplateName {
  if (value === undefined) return "minimal"
  const found = TEMPLATES.find((name) => name === value)
  if (found !== undefined) return found
  throw new UsageError(`--template: there is no template "${value}".${didYouMean(String(value), TEMPLATES)}`)
}

// Returns the name of the folder, which must be valid as the name of an npm package.
function readName(folder: string, { dependencies, devDependencies }: Manifest): string {
  const name = basename(folder)
  if (!/^[a-z0-9][a-z0-9._-]*$/.test(name) || name.length > MAX_NAME_CHARACTERS) {
    const better = name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "")
    const remedy = better === "" ? "" : `, such as ${better.slice(0, MAX_NAME_CHARACTERS)}`
    throw new UsageError(`"${name}" cannot be the name of an app. Use small letters, digits and -${remedy}.`)
  }
  if (name === "kit" || name === "node_modules" || Object.hasOwn({ ...dependencies, ...devDependencies }, name))
    throw new UsageError(`"${name}" is the name of something that the app itself needs. Choose another.`)
  return name
}

function withName(files: ReadonlyMap<string, string>, name: string): ReadonlyMap<string, string> {
  return new Map([...files].map(([file, text]) => [file, text.replaceAll("{{name}}", name)]))
}

// Packs kit into the new app's folder, because kit is not published in any package registry.
async function packKit(folder: string): Promise<string> {
  const vendor = join(folder, VENDOR)
  await mkdir(vendor, { recursive: true })
  // In kit's own repository, npm must run a script to complete the package; an installed package is complete.
  const flags = isWorkspace() ? [] : ["--ignore-scripts"]
  const args = ["pack", "--silent", ...flags, "--pack-destination", vendor]
  await runNpm(
    { cwd: PACKAGE_ROOT, args, isQuiet: true },
    "It packs kit into the folder, which is empty again; what npm says above is the reason.",
  )
  const [tarball] = (await readdir(vendor)).filter((file) => file.endsWith(".tgz"))
  if (tarball === undefined) throw new CommandFailure(`npm pack has left nothing in ${vendor}.`)
  return `file:${VENDOR}/${tarball}`
}

interface NewManifest {
  readonly name: string
  readonly manifest: Manifest
  readonly kit: string
}

async function writeManifests(folder: string, { name, manifest, kit }: NewManifest): Promise<void> {
  const { dependencies = {}, ...rest } = manifest
  const { engines } = JSON.parse(await readFile(join(PACKAGE_ROOT, "package.json"), "utf8"))
  const whole = { ...rest, name, engines, dependencies: { ...dependencies, kit } }
  await writeJson(join(folder, "package.json"), whole)
  const tested = await readTestedVersions()
  if (tested !== undefined) await writeJson(join(folder, "package-lock.json"), lockFor({ name, manifest, kit }, tested))
}

async function writeJson(path: string, value: object): Promise<void> {
  await writeFile(path, `${JSON.stringify(value, null, 2)}\n`)
}

async function install(folder: string): Promise<void> {
  const args = ["install", "--prefer-offline", "--no-audit", "--no-fund"]
  await runNpm({ cwd: folder, args }, `The files are written: run npm install in ${folder} once the problem is fixed.`)
  const generate = [join("node_modules", "kit", "bin", "kit.mjs"), "generate"]
  await runNode({ cwd: folder, args: generate }, `The app is installed, but its types could not be written; see above.`)
}

function showNext(folder: string, isInstalled: boolean): void {
  const place = relative(process.cwd(), folder)
  showLine(`ready in ${(performance.now() / 1000).toFixed(1)} s. Next:\n`)
  if (place !== "") showLine(`  cd ${inShell(place)}`)
  if (!isInstalled) showLine("  npm install")
  showLine("  npm run dev\n")
  showLine("It prints the address of the API, and of the console: http://localhost:3000/admin")
}

// Quotes a file path, so that it can be pasted into a shell.
function inShell(path: string): string {
  return /^[\p{L}\p{N}_./-]+$/u.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}
