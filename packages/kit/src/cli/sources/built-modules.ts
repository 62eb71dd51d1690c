import { join } from "node:path"
import { AppMistakesError } from "../../app/definition/app-mistakes.ts"
import type { AppModules } from "./app-modules.ts"
import { BUILD_FOLDER, BUILT_APP, BUILT_CONFIG, BUILT_MIGRATIONS, type Build } from "./build-record.ts"
import type { ConventionFile } from "./discover.ts"
import type { SourceModule } from "./load-module.ts"
import { loadWithTimeout } from "./load-with-timeout.ts"

/** One of the author's files, with the default export that the build contains for it. */
interface BuiltFile extends ConventionFile {
  readonly exported: unknown
}

/** Loads the modules that `kit build` has written, without loading the compiler. */
export function builtModules(root: string, build: Build): AppModules {
  // Enables source maps, so that errors name files and lines of the author's sources.
  process.setSourceMapsEnabled(true)
  let loading: Promise<readonly BuiltFile[]> | undefined
  const files = () => {
    loading ??= loadBuilt(root)
    return loading
  }
  return {
    isBuilt: true,
    migrationsFolder: join(BUILD_FOLDER, BUILT_MIGRATIONS),
    loadConfig: async () =>
      build.outputs.includes(BUILT_CONFIG) ? await loadWithTimeout(root, builtModule(BUILT_CONFIG)) : undefined,
    files,
    // `hasDefault` is always true, because a build contains only files with a default export.
    load: async (file) => ({
      exported: (await files()).find((built) => built.file === file)?.exported,
      hasDefault: true,
    }),
    inputs: () => [],
  }
}

async function loadBuilt(root: string): Promise<readonly BuiltFile[]> {
  const loaded = await loadWithTimeout(root, builtModule(BUILT_APP))
  if ("mistake" in loaded) throw new AppMistakesError([loaded.mistake])
  // The cast is safe: `kit build` has written the module that exports this list.
  return loaded.exported as readonly BuiltFile[]
}

function builtModule(output: string): SourceModule {
  const compiledPath = join(BUILD_FOLDER, output)
  return { file: compiledPath, compiledPath }
}
