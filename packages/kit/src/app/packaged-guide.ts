import { existsSync } from "node:fs"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Guide } from "../http/front-page/page-facts.ts"

// The folder of the running kit package. This file has to stay two folders below it: the source is in `src/app`, and the
// built file is in `dist/app` and `dist/bundle`.
const PACKAGE_FOLDER = fileURLToPath(new URL("../../", import.meta.url))
// An installed package contains the documentation and no sources. In the workspace, the documentation is beside the
// packages.
const IS_INSTALLED = !existsSync(join(PACKAGE_FOLDER, "src"))
const GUIDE_FOLDER = IS_INSTALLED ? join(PACKAGE_FOLDER, "docs") : join(PACKAGE_FOLDER, "..", "..", "docs")
const FIRST_PAGE = "guide.md"

/** The documentation that comes with the package. */
export const packagedGuide: Guide = {
  titles: async () => {
    const pages = (await guideFiles()).map(async (file) => ({ file, title: titleOf(await readPage(file), file) }))
    return Promise.all(pages)
  },
  read: async (file) => ((await guideFiles()).includes(file) ? readPage(file) : undefined),
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
