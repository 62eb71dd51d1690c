import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { compileOrThrow } from "../../app/definition/compile-definition.ts"
import { generateFiles } from "../codegen/generate-files.ts"
import { mentionsDatabase } from "../codegen/mentions-database.ts"
import { type LoadedApp, loadApp, loadConfig } from "../sources/load-app.ts"
import { sourceModules } from "../sources/source-modules.ts"
import { type CommandArguments, CommandFailure } from "../terminal/arguments.ts"
import { showLine } from "../terminal/show.ts"
import { printJson } from "../terminal/standard-output.ts"

const GENERATED = "src/generated"
const UP_TO_DATE = `${GENERATED} is up to date`

/** Writes the app's types into `src/generated/`. */
export async function generate({ values }: CommandArguments): Promise<void> {
  const root = process.cwd()
  const app = await loadApp(root, await loadConfig(root, sourceModules(root)))
  if (values["check"]) return checkGenerated(app, values["json"] === true)
  const written = await writeGenerated(app)
  if (values["json"]) return printJson({ written })
  showLine(written.length === 0 ? UP_TO_DATE : `wrote ${written.join(", ")}`)
}

async function checkGenerated(app: LoadedApp, isJson: boolean): Promise<void> {
  const outdated = await findOutdated(app)
  if (isJson) printJson({ outdated })
  if (outdated.length > 0) throw new CommandFailure(`${outdated.join(", ")}: out of date. Run kit generate.`)
  if (!isJson) showLine(UP_TO_DATE)
}

/** Returns the paths of the generated files that are out of date. */
export async function findOutdated(app: LoadedApp): Promise<readonly string[]> {
  return (await findChanged(app)).map(({ name }) => `${GENERATED}/${name}`)
}

/** Writes the generated files that have changed; writes nothing if the app has mistakes. */
export async function writeGenerated(app: LoadedApp): Promise<readonly string[]> {
  const changed = await findChanged(app)
  await mkdir(join(app.root, GENERATED), { recursive: true })
  for (const { name, text } of changed) await writeFile(join(app.root, GENERATED, name), text)
  return changed.map(({ name }) => `${GENERATED}/${name}`)
}

async function findChanged(app: LoadedApp): Promise<readonly { readonly name: string; readonly text: string }[]> {
  const usesDatabase = await mentionsDatabase(app)
  const files = generateFiles({ ...compileOrThrow(app), modules: app.modules, usesDatabase })
  const changed = []
  for (const [name, text] of files) {
    const present = await readFile(join(app.root, GENERATED, name), "utf8").catch(() => undefined)
    if (present !== text) changed.push({ name, text })
  }
  return changed
}
