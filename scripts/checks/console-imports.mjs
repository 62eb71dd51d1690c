import { listFiles } from "./sources/source-files.mjs"
import { importsOf, resolveRelative } from "./sources/source-imports.mjs"
import { readSource } from "./sources/syntax-tree.mjs"

const SRC = "packages/console/src"

/** The entries of kit for front ends. The console has no other way to the server than the API that everyone has. */
const KIT_ENTRIES = ["kit/client", "kit/crdt", "kit/react", "kit/react-infinite", "kit/react-reads"]

/** The npm packages that the console may import; `*` stands for any ending. */
const PACKAGES = [
  "react",
  "react-dom",
  "react-aria-components",
  "react-aria",
  "react-stately",
  "@react-aria/*",
  "@react-stately/*",
  "@react-types/*",
  "@internationalized/*",
  "@tanstack/react-virtual",
  "@fontsource-variable/*",
  "diff",
  "idb-keyval",
  "lucide-react",
  "prosemirror-*",
  "wouter",
  "y-prosemirror",
  "yjs",
]

// The modules that the plugins of its build make: packages/console/vite.config.ts.
const OWN_MODULES = "virtual:"

/**
 * Checks the imports of the console: its own files, the entries of kit for front ends, and the packages of the list.
 *
 * @param {string} root
 * @returns {Promise<string[]>}
 */
export async function consoleProblems(root) {
  const paths = (await listFiles(root, SRC)).filter((path) => /\.tsx?$/.test(path))
  const sources = await Promise.all(paths.map((path) => readSource(root, path)))
  return sources.flatMap((source) =>
    importsOf(source).flatMap(({ specifier, line }) => {
      const rule = brokenRule(source.path, specifier)
      return rule === undefined ? [] : [`${source.path}:${line} imports ${specifier}: ${rule}`]
    }),
  )
}

/** @param {string} path @param {string} specifier */
function brokenRule(path, specifier) {
  const target = resolveRelative(path, specifier)
  if (target !== undefined) return target.startsWith(`${SRC}/`) ? undefined : `it is outside of ${SRC}`
  if (specifier === "kit" || specifier.startsWith("kit/")) {
    return KIT_ENTRIES.includes(specifier) ? undefined : `of kit the console may import only ${KIT_ENTRIES.join(", ")}`
  }
  if (PACKAGES.some((pattern) => isOf(specifier, pattern)) || specifier.startsWith(OWN_MODULES)) return undefined
  return "it is not in the list of packages in scripts/checks/console-imports.mjs"
}

/** @param {string} specifier @param {string} pattern */
function isOf(specifier, pattern) {
  if (pattern.endsWith("*")) return specifier.startsWith(pattern.slice(0, -1))
  return specifier === pattern || specifier.startsWith(`${pattern}/`)
}
