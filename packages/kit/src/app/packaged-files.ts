import { existsSync } from "node:fs"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { ConsoleFiles } from "../http/console/served-console.ts"
import type { Guide } from "../http/front-page/page-facts.ts"

// The folder of the running kit package. This file has to stay two folders below it: the source is in `src/app`, and the
// built file is in `dist/app` and `dist/bundle`.
const PACKAGE_FOLDER = fileURLToPath(new URL("../../", import.meta.url))
// An installed package contains the documentation and no sources. In the workspace, the documentation is beside the
// packages.
const IS_INSTALLED = !existsSync(join(PACKAGE_FOLDER, "src"))
const GUIDE_FOLDER = IS_INSTALLED ? join(PACKAGE_FOLDER, "docs") : join(PACKAGE_FOLDER, "..", "..", "docs")
const FIRST_PAGE = "guide.md"
// The sources use the build, too.
const CONSOLE_FOLDER = join(PACKAGE_FOLDER, "dist", "console")

/** The documentation that comes with the package. */
export const packagedGuide: Guide = {
  titles: async () => {
    const pages = (await guideFiles()).map(async (file) => ({ file, title: titleOf(await readPage(file), file) }))
    return Promise.all(pages)
  },
  read: async (file) => ((await guideFiles()).includes(file) ? readPage(file) : undefined),
}

/** The console that comes with the package. */
export const packagedConsole: ConsoleFiles = {
  read: async (name) => {
    try {
      return new Uint8Array(await readFile(join(CONSOLE_FOLDER, name)))
    } catch (cause) {
      const remedy = "run npm run build in the repository of kit"
      throw new Error(`The package has no console at ${CONSOLE_FOLDER}: ${remedy}.`, { cause })
    }
  },
}

async function guideFiles(): Promise<readonly string[]> {
  const entries = await readdir(GUIDE_FOLDER).catch(() => [])
  const files = entries.filter((entry) => entry.endsWith(".md")).sort()
  return [...files].sort((left, right) => Number(right === FIRST_PAGE) - Number(left === FIRST_PAGE))
}

function readPage(file: string): Promise<string> {
  return readFile(join(GUIDE_FOLDER, file), "utf8")
}

function titleOf(text: string, file: string): string {
  return /^# (.+)$/m.exec(text)?.[1] ?? file
}
