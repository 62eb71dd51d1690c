import { join } from "node:path"
import { AppMistakesError } from "../../app/definition/app-mistakes.ts"
import type { AppModules } from "./app-modules.ts"
import { BUILD_FOLDER, BUILT_APP, BUILT_CONFIG, BUILT_MIGRATIONS, type Build } from "./build-record.ts"
import type { ConventionFile } from "./discover.ts"
import type { SourceModule } from "./load-module.ts"
import { loadWithTimeout } from "./load-with-timeout.ts"

/** One of the author's files, with its default export from the build. */
export interface BuiltFile extends ConventionFile {
  readonly exported: unknown
}

/** The modules from `kit build`; the compiler is not loaded. */
export function builtModules(root: string, build: Build): AppModules {
  // Makes errors name the author's files and lines.
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
    // A build contains only files with a default export.
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
  // `kit build` has written this list.
  return loaded.exported as readonly BuiltFile[]
}

function builtModule(output: string): SourceModule {
  const compiledPath = join(BUILD_FOLDER, output)
  return { file: compiledPath, compiledPath }
}
