import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { compileOrThrow } from "../../app/compile-definition.ts"
import { generateFiles } from "../codegen/generate-files.ts"
import { type LoadedApp, loadApp } from "../load-app.ts"
import { showProgress } from "../show.ts"

/** Writes the types of the app into `src/generated/`. */
export async function generate(): Promise<void> {
  const written = await writeGenerated(await loadApp(process.cwd()))
  showProgress(written.length === 0 ? "src/generated is up to date" : `wrote ${written.join(", ")}`)
}

/** Writes the files that have changed; an app with mistakes writes nothing. */
export async function writeGenerated(app: LoadedApp): Promise<readonly string[]> {
  const files = generateFiles({ ...compileOrThrow(app), modules: app.modules })
  const directory = join(app.root, "src", "generated")
  await mkdir(directory, { recursive: true })
  const written: string[] = []
  for (const [name, text] of files) {
    const file = join(directory, name)
    if ((await readFile(file, "utf8").catch(() => undefined)) === text) continue
    await writeFile(file, text)
    written.push(`src/generated/${name}`)
  }
  return written
}
