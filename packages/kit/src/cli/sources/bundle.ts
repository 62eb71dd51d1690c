import { relative, resolve, sep } from "node:path"
import { type Metafile, type OutputFile, type Plugin, build as runBuild } from "esbuild"
import { CONFIG_FILE } from "../../app/config/config.ts"
import { AppMistakesError } from "../../app/definition/app-mistakes.ts"
import { buildMistakes } from "./build-mistakes.ts"
import { BUILD_BANNER, BUILD_FOLDER, BUILT_APP, BUILT_CONFIG } from "./build-record.ts"
import type { ConventionFile } from "./discover.ts"
import { sourcePackages } from "./source-packages.ts"

export interface Bundle {
  /** The contents of each file in the build, by its path relative to the build folder. */
  readonly outputs: ReadonlyMap<string, Uint8Array>
  /** The paths of the modules in the bundle, relative to the app's folder. */
  readonly inputs: readonly string[]
}

interface BundledApp {
  readonly files: readonly ConventionFile[]
  readonly hasConfig: boolean
}

const ENTRY = "kit-entry"
const NODE_TARGET = "node20.19"

/** Bundles the author's files, without the packages that they import. */
export async function bundle(root: string, { files, hasConfig }: BundledApp): Promise<Bundle> {
  const { outputFiles, metafile } = await runBuild({
    absWorkingDir: root,
    entryPoints: {
      [nameOf(BUILT_APP)]: `${ENTRY}:app`,
      // A separate module, because the configuration suffices to start the database while the app is loading.
      ...(hasConfig && { [nameOf(BUILT_CONFIG)]: `./${CONFIG_FILE}` }),
    },
    outdir: BUILD_FOLDER,
    write: false,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: NODE_TARGET,
    banner: { js: BUILD_BANNER },
    sourcemap: "linked",
    sourcesContent: false,
    metafile: true,
    logLevel: "silent",
    plugins: [entryPlugin(root, files), sourcePackages(root)],
  }).catch((error: unknown) => {
    throw new AppMistakesError(buildMistakes(error))
  })
  return { outputs: new Map(outputFiles.map((file) => outputOf(root, file))), inputs: inputsOf(metafile) }
}

function nameOf(output: string): string {
  return output.replace(/\.js$/, "")
}

// Generates a module that exports a list of all the author's files with their default exports.
function entryPlugin(root: string, files: readonly ConventionFile[]): Plugin {
  const imports = files.map(({ file }, index) => `import file${index} from ${JSON.stringify(`./${file}`)}`)
  const members = files.map((found, index) => `{ ...${JSON.stringify(found)}, exported: file${index} },`)
  const contents = [...imports, "export default [", ...members, "]"].join("\n")
  return {
    name: ENTRY,
    setup(build) {
      build.onResolve({ filter: new RegExp(`^${ENTRY}:`) }, ({ path }) => ({ path, namespace: ENTRY }))
      build.onLoad({ filter: /.*/, namespace: ENTRY }, () => ({ contents, resolveDir: root, loader: "js" }))
    },
  }
}

function outputOf(root: string, { path, contents }: OutputFile): [string, Uint8Array] {
  return [relative(resolve(root, BUILD_FOLDER), path).split(sep).join("/"), contents]
}

function inputsOf({ inputs }: Metafile): readonly string[] {
  return Object.keys(inputs).filter((path) => !path.startsWith(`${ENTRY}:`))
}
