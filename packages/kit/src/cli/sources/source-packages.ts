import { builtinModules } from "node:module"
import { sep } from "node:path"
import type { OnResolveArgs, OnResolveResult, Plugin, PluginBuild } from "esbuild"

const BUILT_IN = new Set(builtinModules)
const OWN = /^kit(?:\/|$)/
const TYPESCRIPT = /\.[cm]?tsx?$/
// Marks the resolve requests that this esbuild plugin makes itself, so that it does not handle its own requests.
const OWN_REQUEST = Symbol("asked")

/** Leaves imported packages out of the compiled code, except the author's workspace packages in TypeScript. */
export function sourcePackages(root: string, onInput: (path: string) => void = ignore): Plugin {
  return {
    name: "kit-packages",
    setup(build) {
      const outside = new Map<string, OnResolveResult>()
      build.onResolve({ filter: /^[^./]/ }, async (asked) => {
        if (asked.kind === "entry-point" || asked.pluginData === OWN_REQUEST) return undefined
        const found = outside.get(asked.path) ?? (await findPackage(build, { root, onInput }, asked))
        if (found.external) outside.set(asked.path, found)
        return found
      })
    },
  }
}

function ignore(): void {}

interface Workspace {
  readonly root: string
  /** Called with the path of an imported file whose workspace package is left out of the compiled code. */
  onInput(path: string): void
}

async function findPackage(
  build: PluginBuild,
  { root, onInput }: Workspace,
  asked: OnResolveArgs,
): Promise<OnResolveResult> {
  const { path, importer, resolveDir, kind } = asked
  const unchanged: OnResolveResult = { path, external: true }
  if (OWN.test(path) || path.startsWith("node:") || BUILT_IN.has(path)) return unchanged
  const found = await build.resolve(path, { importer, resolveDir, kind, pluginData: OWN_REQUEST })
  // A missing package is left external: importing it at runtime fails with an error that names the package.
  if (found.errors.length > 0 || found.external || found.path.includes(`${sep}node_modules${sep}`)) return unchanged
  const isOfApp = found.path.startsWith(root + sep)
  if (isOfApp || TYPESCRIPT.test(found.path)) return { path: found.path }
  onInput(found.path)
  return unchanged
}
