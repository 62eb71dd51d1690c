import { CommandFailure } from "../terminal/arguments.ts"
import { showLine } from "../terminal/show.ts"
import type { AppModules } from "./app-modules.ts"
import { BUILD_FOLDER, findChange, readBuild } from "./build-record.ts"
import { builtModules } from "./built-modules.ts"
import { sourceModules } from "./source-modules.ts"

/**
 * Returns the build's modules if the build is up to date, otherwise the modules compiled from the sources. The running
 * code is therefore never older than the sources.
 */
export async function chooseModules(root: string): Promise<AppModules> {
  const build = await readBuild(root)
  if (build === undefined) return sourceModules(root)
  const change = await findChange(root, build)
  if (change === undefined) return builtModules(root, build)
  if (!change.hasSources)
    throw new CommandFailure(
      `${change.file} is not what the build in ${BUILD_FOLDER} was made of. Run kit build where the sources are.`,
    )
  showLine(`${change.file} has changed since kit build: using the sources. Run kit build again.`)
  return sourceModules(root)
}
