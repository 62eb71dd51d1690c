import { join } from "node:path"
import { AppMistakesError } from "../../app/definition/app-mistakes.ts"
import type { AppModules } from "./app-modules.ts"
import { BUILD_FOLDER, BUILT_APP, BUILT_CONFIG, BUILT_MIGRATIONS, type Build } from "./build-record.ts"
import type { FoundFile } from "./discover.ts"
import { loadInTime } from "./load-in-time.ts"
import type { SourceModule } from "./load-module.ts"

/** One of the author's files, as the build exports it. */
export interface BuiltFile extends FoundFile {
  readonly exported: unknown
}

/** The files as `kit build` has bundled them; no compiler is loaded. */
export function builtModules(root: string, build: Build): AppModules {
  // Errors name the author's files and lines.
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
      build.outputs.includes(BUILT_CONFIG) ? await loadInTime(root, placed(BUILT_CONFIG)) : undefined,
    files,
    // A file without a default export does not get into a build.
    load: async (file) => ({
      exported: (await files()).find((built) => built.file === file)?.exported,
      hasDefault: true,
    }),
    inputs: () => [],
  }
}

async function loadBuilt(root: string): Promise<readonly BuiltFile[]> {
  const loaded = await loadInTime(root, placed(BUILT_APP))
  if ("mistake" in loaded) throw new AppMistakesError([loaded.mistake])
  // It is what the build has written.
  return loaded.exported as readonly BuiltFile[]
}

function placed(output: string): SourceModule {
  const place = join(BUILD_FOLDER, output)
  return { file: place, place }
}
