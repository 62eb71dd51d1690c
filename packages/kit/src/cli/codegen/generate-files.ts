import { appConfigFile } from "./app-config-file.ts"
import { appFile } from "./app-file.ts"
import type { CodegenInput } from "./codegen-input.ts"
import { registerFile } from "./register-file.ts"
import { tablesFile } from "./tables-file.ts"

const HEADER = "// Written by kit generate; changes are lost.\n"

/** The text of each file of `src/generated/`, the same for the same app. */
export function generateFiles(input: CodegenInput): ReadonlyMap<string, string> {
  return new Map([
    ["app.ts", HEADER + appFile(input)],
    ["index.ts", HEADER + appConfigFile(input)],
    ["register.ts", HEADER + registerFile(input)],
    ["tables.ts", HEADER + tablesFile(input)],
  ])
}
