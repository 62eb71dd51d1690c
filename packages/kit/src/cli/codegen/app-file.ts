import type { CodegenInput } from "./codegen-input.ts"
import { CONFIG_KEY } from "./config-module.ts"
import type { Modules } from "./module-type.ts"

/**
 * The text of `app.ts`, which opens the app from code: for a host framework, a script or a bundler, which sees every file
 * of the author as an import.
 */
export function appFile({ modules }: CodegenInput): string {
  const files = importedFiles(modules)
  const imports = files.map(({ name, module }) => `import ${name} from ${JSON.stringify(`../${module}.js`)}\n`)
  const lists = Object.entries(LISTS).flatMap(([list, kinds]) => listText(list, ofKinds(files, kinds)))
  const config = files.find(({ kind }) => kind === CONFIG_KIND)?.name ?? "{}"
  return `import { type App, type AppParts, type OpenOptions, openDefinition } from "kit"
${imports.join("")}
/** Everything that the files of the app declare. */
export const definition: AppParts = {
  config: ${config},
${lists.join("")}}

/** Opens the app; its \`stop\` closes it again. */
export function openApp(options: OpenOptions = {}): Promise<App> {
  return openDefinition(definition, options)
}
`
}

const CONFIG_KIND = CONFIG_KEY.split(":")[0]

const LISTS: Readonly<Record<string, readonly string[]>> = {
  resources: ["collection", "global"],
  routes: ["route"],
  services: ["service"],
  emails: ["email"],
  jobs: ["job"],
}

interface ImportedFile {
  readonly kind: string
  /** The name, or for a route its file. */
  readonly key: string
  readonly module: string
  /** What the import is called. */
  readonly name: string
}

function importedFiles(modules: Modules): readonly ImportedFile[] {
  const taken = new Set<string>()
  const sorted = [...modules].sort(([, left], [, right]) => (left < right ? -1 : 1))
  return sorted.map(([place, module]) => {
    const [kind = "", ...key] = place.split(":")
    return { kind, key: key.join(":"), module, name: freeName(module, taken) }
  })
}

// Two paths may differ only in what no name can hold.
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

function membersOf({ kind, key, module }: ImportedFile): readonly string[] {
  switch (kind) {
    case "route":
      return [`file: ${JSON.stringify(key)}`, `path: ${JSON.stringify(routePath(module))}`]
    case "collection":
    case "global":
      return [`file: ${JSON.stringify(`src/${module}`)}`]
    default:
      return [`file: ${JSON.stringify(`src/${module}`)}`, `key: ${JSON.stringify(key)}`]
  }
}

function routePath(module: string): string {
  const parts = module.split("/")
  return parts.slice(parts.indexOf("routes") + 1).join("/")
}
