import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"

const FOLDER = new URL("../editor/", import.meta.url)

/** Bundles a page with nothing but an editor of the newsroom's articles, as one HTML file. */
export async function buildEditorPage(): Promise<string> {
  const html = await readFile(new URL("page.html", FOLDER), "utf8")
  const entryPoints = [fileURLToPath(new URL("main.ts", FOLDER))]
  const { outputFiles } = await build({ entryPoints, bundle: true, minify: true, format: "esm", write: false })
  // A function as the second argument, because a string could contain patterns such as $&.
  return html.replace("</body>", () => `<script type="module">${outputFiles[0]?.text}</script>\n</body>`)
}
