import { existsSync } from "node:fs"
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import { dirname, join, relative, sep } from "node:path"
import { CONFIG_FILE } from "../../app/config/config.ts"
import { PACKAGE_ROOT } from "../package-root.ts"

export const TEMPLATES = ["minimal", "react", "newsroom"] as const

export type TemplateName = (typeof TEMPLATES)[number]

/** The files for a new app, and the app's npm dependencies. */
interface Template {
  readonly files: ReadonlyMap<string, string>
  readonly manifest: Manifest
}

export interface Manifest {
  readonly scripts?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

const MANIFEST = "package.json"
// The templates that are examples, with the names of their folders.
const EXAMPLES: Readonly<Partial<Record<TemplateName, string>>> = { react: "todo", newsroom: "newsroom" }
// Folders that are not copied from an example, because tools generate them.
const SKIPPED = new Set(["node_modules", ".kit", "dist"])
// Files in the folder of an example that every new app has in another form.
const REPLACED = new Set(["tsconfig.json", "README.md"])

/** Reads the files that every new app starts with, and the files that this template adds. */
export async function readTemplate(name: TemplateName): Promise<Template> {
  const every = await readFolder(join(PACKAGE_ROOT, "templates", "every-app"))
  const own = new Map([...(await readFolder(folderOf(name)))].filter(([file]) => !REPLACED.has(file)))
  const manifest = mergeManifests(readManifest(own), readManifest(every))
  const files = new Map([...every, ...own].filter(([file]) => file !== MANIFEST))
  return { files: withoutExampleName(files, EXAMPLES[name]), manifest }
}

// An example has a name of its own where a new app has the name of its folder.
function withoutExampleName(files: ReadonlyMap<string, string>, example = ""): ReadonlyMap<string, string> {
  const rename = (text: string) => text.replace(`app: { name: "${example}" }`, 'app: { name: "{{name}}" }')
  return new Map([...files].map(([file, text]) => [file, file === CONFIG_FILE ? rename(text) : text]))
}

/** Writes a template's files into a folder, which must not contain any of them. */
export async function writeTemplate(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  for (const [file, text] of files) {
    const path = join(folder, file)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text, { flag: "wx" })
  }
}

// Returns a template's folder. If the template is an example, it is the example's own folder in kit's repository, and a
// copy in a published package.
function folderOf(name: TemplateName): string {
  const example = EXAMPLES[name]
  return isWorkspace() && example !== undefined
    ? join(PACKAGE_ROOT, "..", "..", "examples", example)
    : join(PACKAGE_ROOT, "templates", name)
}

/** True if kit runs from its own repository, where its package has to be built from the sources. */
export function isWorkspace(): boolean {
  return existsSync(join(PACKAGE_ROOT, "src", "cli.ts"))
}

async function readFolder(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const files = new Map<string, string>()
  for (const path of paths.sort()) {
    const parts = relative(folder, path).split(sep)
    if (!parts.some((part) => SKIPPED.has(part))) files.set(targetOf(parts), await readFile(path, "utf8"))
  }
  return files
}

// The template contains `_gitignore` instead of `.gitignore`, because npm never includes a `.gitignore` in a package.
function targetOf(parts: readonly string[]): string {
  return parts.join("/").replace(/^_gitignore$/, ".gitignore")
}

function readManifest(files: ReadonlyMap<string, string>): Manifest {
  return JSON.parse(files.get(MANIFEST) ?? "{}")
}

function mergeManifests(own: Manifest, every: Manifest): Manifest {
  const devDependencies = { ...own.devDependencies, ...every.devDependencies }
  return {
    ...every,
    scripts: { ...every.scripts, ...own.scripts },
    dependencies: { ...own.dependencies, ...every.dependencies },
    ...(Object.keys(devDependencies).length > 0 && { devDependencies }),
  }
}
