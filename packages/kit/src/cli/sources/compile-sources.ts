import { readFile } from "node:fs/promises"
import { relative, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { type Loader, type Metafile, type OutputFile, type Plugin, build as runBuild } from "esbuild"
import type { Mistake } from "../../schema/compile/compile.ts"
import { buildMistakes } from "./build-mistakes.ts"
import { COMPILED_FOLDER, storeCompiled } from "./compiled-folder.ts"
import { sourcePackages } from "./source-packages.ts"

const NODE_TARGET = "node20.19"

/** Maps each of the author's files to the path of its JavaScript, relative to the app's folder, or to its mistakes. */
export type CompiledSources = ReadonlyMap<string, Compiled>
export type Compiled = { readonly place: string } | { readonly mistakes: readonly Mistake[] }

/** Called with the path of every file that the compiler reads, even if it is broken or not in the app's folder. */
export type InputCallback = (path: string) => void

/** Compiles the author's files into a folder inside the app, so that Node finds the packages that they import. */
export async function compileSources(
  root: string,
  files: readonly string[],
  onInput: InputCallback = () => {},
): Promise<CompiledSources> {
  const all = await compileEach(root, files, onInput)
  if ("places" in all) return await store(root, all)
  // Separates the broken files. The other files are compiled together, so that a module that several of them import is
  // loaded once.
  const broken = await findBroken(root, files)
  const rest = await compileEach(
    root,
    files.filter((file) => !broken.has(file)),
    onInput,
  )
  if ("mistakes" in rest) return new Map(files.map((file) => [file, rest]))
  return new Map([...broken, ...(await store(root, rest))])
}

/**
 * All of the author's files compiled into one module, and the configuration into another. One module loads faster than
 * many small modules.
 */
export interface CompiledWhole {
  /** The path of a module whose default export maps each of the author's files to its exports. */
  readonly compiledPath: string
  readonly config: string | undefined
}

/**
 * Compiles all files into one module; returns undefined if a file is broken. `compileSources` then finds out which one.
 */
export async function compileWhole(
  root: string,
  { files, config }: { readonly files: readonly string[]; readonly config: string | undefined },
  onInput: InputCallback = () => {},
): Promise<CompiledWhole | undefined> {
  const entries = [{ in: WHOLE, out: "app" }, ...(config === undefined ? [] : [{ in: `./${config}`, out: config }])]
  const all = await compile(root, entries, [wholeModule(root, files), ...pluginsOf(root, onInput)])
  if ("mistakes" in all) return undefined
  const places = await store(root, all)
  const placeOf = (file: string) => {
    const compiled = places.get(file)
    return compiled && "place" in compiled ? compiled.place : undefined
  }
  const compiledPath = placeOf(`${WHOLE}:${WHOLE}`)
  return compiledPath === undefined ? undefined : { compiledPath, config: config && placeOf(config) }
}

const WHOLE = "kit-whole"

function wholeModule(root: string, files: readonly string[]): Plugin {
  const imports = files.map((file, index) => `import * as file${index} from ${JSON.stringify(`./${file}`)}`)
  const members = files.map((file, index) => `${JSON.stringify(file)}: file${index}`)
  const contents = `${imports.join("\n")}\nexport default { ${members.join(", ")} }`
  return {
    name: WHOLE,
    setup(build) {
      build.onResolve({ filter: /^kit-whole$/ }, ({ kind }) =>
        kind === "entry-point" ? { path: WHOLE, namespace: WHOLE } : undefined,
      )
      build.onLoad({ filter: /.*/, namespace: WHOLE }, () => ({ contents, resolveDir: root }))
    },
  }
}

async function findBroken(root: string, files: readonly string[]): Promise<CompiledSources> {
  const broken = new Map<string, Compiled>()
  for (const file of files) {
    const alone = await compileEach(root, [file], () => {})
    if ("mistakes" in alone) broken.set(file, alone)
  }
  return broken
}

async function store(root: string, { outputs, places }: CompiledTogether): Promise<CompiledSources> {
  await storeCompiled(root, outputs)
  return places
}

interface CompiledTogether {
  readonly outputs: readonly OutputFile[]
  readonly places: ReadonlyMap<string, Compiled>
}

type Result = CompiledTogether | { readonly mistakes: readonly Mistake[] }

function compileEach(root: string, files: readonly string[], onInput: InputCallback): Promise<Result> {
  return compile(
    root,
    files.map((file) => `./${file}`),
    pluginsOf(root, onInput),
  )
}

function pluginsOf(root: string, onInput: InputCallback): Plugin[] {
  return [inputPaths(onInput), sourcePackages(root, onInput), sourceUrls]
}

type Entries = string[] | { in: string; out: string }[]

function compile(root: string, entryPoints: Entries, plugins: Plugin[]): Promise<Result> {
  return runBuild({
    absWorkingDir: root,
    entryPoints,
    outbase: root,
    outdir: COMPILED_FOLDER,
    // File names contain a hash of the contents, so that several processes can compile the same app without overwriting
    // each other's files.
    entryNames: "[dir]/[name]-[hash]",
    chunkNames: "shared-[hash]",
    outExtension: { ".js": ".mjs" },
    write: false,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: NODE_TARGET,
    sourcemap: "linked",
    sourcesContent: false,
    define: { "import.meta.url": SOURCE_URL },
    metafile: true,
    logLevel: "silent",
    // Preserves the property `name`, because bundling renames top-level functions and classes whose names clash.
    keepNames: true,
    plugins,
  }).then(
    ({ outputFiles, metafile }): Result => ({ outputs: outputFiles, places: compiledPathsOf(root, metafile) }),
    (error): Result => ({ mistakes: buildMistakes(error) }),
  )
}

function compiledPathsOf(root: string, { outputs }: Metafile): ReadonlyMap<string, Compiled> {
  const entries = Object.entries(outputs).flatMap(([output, { entryPoint }]): [string, Compiled][] =>
    entryPoint === undefined ? [] : [[entryPoint, { place: relative(root, resolve(root, output)) }]],
  )
  return new Map(entries)
}

// Reports every file that the compiler reads, because a failed build does not return a list of its input files.
function inputPaths(onInput: InputCallback): Plugin {
  return {
    name: "kit-input-paths",
    setup(build) {
      build.onLoad({ filter: /.*/, namespace: "file" }, ({ path }) => {
        onInput(path)
        return undefined
      })
    },
  }
}

const SOURCE_URL = "__kit_source_url"
const SOURCE = /\.[cm]?([jt]sx?)$/

/** Replaces `import.meta.url` with the URL of the author's file. Otherwise it would be the URL of the compiled file. */
const sourceUrls: Plugin = {
  name: "kit-source-urls",
  setup(build) {
    build.onLoad({ filter: SOURCE }, async ({ path }) => {
      const text = await readFile(path, "utf8")
      if (!text.includes("import.meta.url")) return undefined
      // The declaration is added to the first line, so that the line numbers of the author's file stay the same.
      const contents = `const ${SOURCE_URL} = ${JSON.stringify(pathToFileURL(path).href)};${text}`
      return { contents, loader: loaderOf(path) }
    })
  },
}

function loaderOf(path: string): Loader {
  // The cast is safe: the pattern `SOURCE`, which selected the file, allows only js, jsx, ts and tsx.
  return SOURCE.exec(path)?.[1] as Loader
}
