import { writeFile } from "node:fs/promises"
import { appInputs } from "../../app/app-inputs.ts"
import { apiFacts } from "../../app/config/openapi-config.ts"
import { definitionPart } from "../../app/parts/definition-part.ts"
import { buildDocument } from "../../http/openapi/build-document.ts"
import { ENDPOINT_TABLE } from "../../http/openapi/operations/endpoint-table.ts"
import { wholeApp } from "../../http/openapi/whole-app.ts"
import { loadApp } from "../sources/load-app.ts"
import { type CommandArguments, CommandFailure } from "../terminal/arguments.ts"
import { showLine } from "../terminal/show.ts"
import { printData, reserveStdoutForData } from "../terminal/standard-output.ts"

/** Prints the OpenAPI document of the whole app, or writes it into a file. Needs no database. */
export async function openapi({ values }: CommandArguments): Promise<void> {
  const { out } = values
  if (typeof out !== "string") reserveStdoutForData()
  const text = JSON.stringify(await wholeDocument(process.cwd()), null, 2)
  if (typeof out !== "string") return printData(text)
  await writeFile(out, `${text}\n`).catch((cause: unknown) => {
    throw new CommandFailure(`${out} could not be written: ${cause instanceof Error ? cause.message : String(cause)}`)
  })
  showLine(`wrote ${out}`)
}

async function wholeDocument(root: string) {
  const inputs = appInputs({ ...(await loadApp(root)), root }, {})
  const { config, facts, mode } = inputs
  // The first part of every app compiles it, and opens nothing.
  const { schema, routes, channels } = await definitionPart.open(inputs)
  const described = apiFacts({ config, facts, mode, schema, channels })
  const endpoints = Object.keys(ENDPOINT_TABLE).filter((key) => described.cookie || !key.includes(" /auth"))
  return buildDocument(wholeApp({ ...described, endpoints }, { schema, routes }))
}
