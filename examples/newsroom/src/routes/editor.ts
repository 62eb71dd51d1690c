import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import { route } from "kit"

// The second path is that from the folder of a build.
const folder = ["../editor/", "../src/editor/"].map(pathOf).find((path) => existsSync(path))

let page: Promise<string> | undefined

/**
 * The page on which people edit articles together. It is bundled when it is first opened, so that the example needs no
 * build step; an app with a front end bundles `src/editor` with it.
 */
export default route()
  .get()
  .handler(async () => {
    page ??= folder === undefined ? undefined : makePage(folder)
    if (page === undefined) return new Response("The folder src/editor is missing.", { status: 404 })
    return new Response(await page, { headers: { "content-type": "text/html; charset=utf-8" } })
  })

async function makePage(folder: string): Promise<string> {
  const html = await readFile(`${folder}page.html`, "utf8")
  const entryPoints = [`${folder}main.ts`]
  const { outputFiles } = await build({ entryPoints, bundle: true, minify: true, format: "esm", write: false })
  // A function as the second argument, because a string could contain patterns such as $&.
  return html.replace("</body>", () => `<script type="module">${outputFiles[0]?.text}</script>\n</body>`)
}

function pathOf(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url))
}
