import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { Mistake } from "../../schema/compile/compile.ts"

export type LoadedModule = { readonly exported: unknown; readonly hasDefault: boolean } | { readonly mistake: Mistake }

/** One of the author's files and the path of its compiled JavaScript, both relative to the app's folder. */
export interface SourceModule {
  readonly file: string
  readonly compiledPath: string
}

/** Imports one of the author's files; resolves to its default export, or to a mistake if the import failed. */
export async function loadModule(root: string, { file, compiledPath }: SourceModule): Promise<LoadedModule> {
  try {
    return loadedModule(await import(pathToFileURL(join(root, compiledPath)).href))
  } catch (error) {
    const reason = reasonOf(error).replaceAll(`${root}/`, "")
    return { mistake: { file: positionOf(error, root) ?? file, message: `could not be loaded: ${reason}` } }
  }
}

/** Returns the parts of a module that kit uses: its default export, and whether it has one. */
export function loadedModule(module: { readonly default?: unknown }): LoadedModule {
  return { exported: module.default, hasDefault: "default" in module }
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  const missing = /^Cannot find package '([^']+)'/.exec(message)?.[1]
  if (missing !== undefined) return `there is no package "${missing}". Run npm install ${missing}, or correct the name.`
  // A message from the compiler has the problem on a separate line, after the file's name.
  return /ERROR: (.*)/.exec(message)?.[1] ?? message.split("\n", 1)[0] ?? ""
}

// Matches paths of installed packages, and of compiled code that has no source map.
const FOREIGN_CODE = /^(node_modules|\.kit)\//

// Returns the first position in an error's stack that lies in the app, as file, line and column.
function positionOf(error: unknown, root: string): string | undefined {
  const text = error instanceof Error ? `${error.stack}\n${error.message}` : ""
  const start = text.indexOf(`${root}/`)
  const found = start < 0 ? null : /^[^\s?()]+?:\d+(:\d+)?/.exec(text.slice(start + root.length + 1))
  return found && !FOREIGN_CODE.test(found[0]) ? found[0] : undefined
}
