import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { Mistake } from "../../schema/compile/compile.ts"

export type LoadedModule = { readonly exported: unknown; readonly hasDefault: boolean } | { readonly mistake: Mistake }

/** One of the author's files and the path of its JavaScript, both relative to the root of the app. */
export interface SourceModule {
  readonly file: string
  readonly compiledPath: string
}

/** Imports one of the author's files; returns its default export, or the reason why it failed. */
export async function loadModule(root: string, { file, compiledPath }: SourceModule): Promise<LoadedModule> {
  try {
    return loadedModule(await import(pathToFileURL(join(root, compiledPath)).href))
  } catch (error) {
    const reason = reasonOf(error).replaceAll(`${root}/`, "")
    return { mistake: { file: positionOf(error, root) ?? file, message: `could not be loaded: ${reason}` } }
  }
}

/** The parts of a module that kit uses. */
export function loadedModule(module: { readonly default?: unknown }): LoadedModule {
  return { exported: module.default, hasDefault: "default" in module }
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  const missing = /^Cannot find package '([^']+)'/.exec(message)?.[1]
  if (missing !== undefined) return `there is no package "${missing}". Run npm install ${missing}, or correct the name.`
  // The compiler puts the problem on a line of its own, after the file.
  return /ERROR: (.*)/.exec(message)?.[1] ?? message.split("\n", 1)[0] ?? ""
}

// Installed packages, and compiled code without a source map.
const FOREIGN_CODE = /^(node_modules|\.kit)\//

// The first position in the stack that lies in the app: file, line and column.
function positionOf(error: unknown, root: string): string | undefined {
  const text = error instanceof Error ? `${error.stack}\n${error.message}` : ""
  const start = text.indexOf(`${root}/`)
  const found = start < 0 ? null : /^[^\s?()]+?:\d+(:\d+)?/.exec(text.slice(start + root.length + 1))
  return found && !FOREIGN_CODE.test(found[0]) ? found[0] : undefined
}
