import type { CodegenInput } from "./codegen-input.ts"
import { CONFIG_KEY, FILE_KIND } from "./module-files.ts"
import type { Modules } from "./module-type.ts"

/**
 * Returns the text of `app.ts`, which opens the app from a host framework or a script. It imports every file of the
 * author, so that a bundler finds them. Imports end in `.ts`, the only ending that bundlers and Node all resolve. Some
 * authors' TypeScript settings reject that ending, one more reason why generated files are not type-checked.
 */
export function appFile({ modules }: CodegenInput): string {
  const files = importedFiles(modules)
  const imports = files.map(({ name, path }) => `import ${name} from ${JSON.stringify(path)}\n`)
  const lists = Object.entries(LISTS).flatMap(([list, kinds]) => listText(list, ofKinds(files, kinds)))
  const config = ofKinds(files, ["config"])[0]?.name ?? "{}"
  return `import type { App, OpenOptions } from "kit"
import { type AppDeclarations, openDefinition } from "kit/generated"
${imports.join("")}
/** Everything that the files of the app declare. */
export const definition: AppDeclarations = {
  config: ${config},
${lists.join("")}}

/** Opens the app; its \`stop\` closes it again. */
export function openApp(options: OpenOptions = {}): Promise<App> {
  return openDefinition(definition, options)
}
`
}

const LISTS: Readonly<Record<string, readonly string[]>> = {
  resources: ["collection", "global"],
  routes: ["route"],
  services: ["service"],
  emails: ["email"],
  jobs: ["job"],
  channels: ["channel"],
}

interface ImportedFile {
  readonly kind: string
  /** The name that the file declares, such as a job's name; for a route, the file's path. */
  readonly key: string
  /** The file's path relative to `src/`, without the extension. */
  readonly module: string
  /** The file's path relative to the app's folder. */
  readonly file: string
  /** The path in the generated import statement. */
  readonly path: string
  /** The name by which the generated code refers to the imported module. */
  readonly name: string
}

function importedFiles(modules: Modules): readonly ImportedFile[] {
  const taken = new Set<string>()
  const sorted = [...modules].sort(([, left], [, right]) => (left < right ? -1 : 1))
  return sorted.flatMap(([place, module]) => {
    const [kind = "", ...key] = place.split(":")
    if (kind === FILE_KIND) return []
    const file = modules.get(`${FILE_KIND}:${module}`) ?? `src/${module}.ts`
    const path = place === CONFIG_KEY ? `../${module}.ts` : `../${file.slice("src/".length)}`
    return [{ kind, key: key.join(":"), module, file, path, name: freeName(module, taken) }]
  })
}

// Returns an identifier for a module, different from the identifiers already taken. Two paths could otherwise get the
// same identifier, because characters that an identifier cannot contain are replaced.
function freeName(module: string, taken: Set<string>): string {
  let name = `_${module.replace(/\W+/g, "_")}`.replace(/^_+/, "_")
  while (taken.has(name)) name += "_"
  taken.add(name)
  return name
}

function ofKinds(files: readonly ImportedFile[], kinds: readonly string[]): readonly ImportedFile[] {
  return files.filter(({ kind }) => kinds.includes(kind))
}

function listText(list: string, files: readonly ImportedFile[]): readonly string[] {
  if (files.length === 0 && list !== "resources") return []
  const entries = files.map((file) => `    { ${membersOf(file).join(", ")}, definition: ${file.name}.definition },\n`)
  return [`  ${list}: [\n${entries.join("")}  ],\n`]
}

function membersOf({ kind, key, module, file }: ImportedFile): readonly string[] {
  const members = [`file: ${JSON.stringify(file)}`]
  if (kind === "collection" || kind === "global") return members
  return [...members, kind === "route" ? `path: ${JSON.stringify(routePath(module))}` : `key: ${JSON.stringify(key)}`]
}

function routePath(module: string): string {
  const parts = module.split("/")
  return parts.slice(parts.indexOf("routes") + 1).join("/")
}
