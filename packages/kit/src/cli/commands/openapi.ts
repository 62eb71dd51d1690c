import { writeFile } from "node:fs/promises"
import { wholeDocument } from "../../app/openapi-document.ts"
import { loadApp } from "../sources/load-app.ts"
import { type CommandArguments, CommandFailure } from "../terminal/arguments.ts"
import { showLine } from "../terminal/show.ts"
import { printData, reserveStdoutForData } from "../terminal/standard-output.ts"

/** Prints the OpenAPI document of the whole app, or writes it into a file. Needs no database. */
export async function openapi({ values }: CommandArguments): Promise<void> {
  const { out } = values
  if (typeof out !== "string") reserveStdoutForData()
  const text = JSON.stringify(await wholeDocument(await loadApp(process.cwd())), null, 2)
  if (typeof out !== "string") return printData(text)
  await writeFile(out, `${text}\n`).catch((cause: unknown) => {
    throw new CommandFailure(`${out} could not be written: ${cause instanceof Error ? cause.message : String(cause)}`)
  })
  showLine(`wrote ${out}`)
}
