import { appConfigFile } from "./app-config-file.ts"
import { appFile } from "./app-file.ts"
import type { CodegenInput } from "./codegen-input.ts"
import { registerFile } from "./register-file.ts"
import { rowsFile } from "./rows-file.ts"
import { tablesFile } from "./tables-file.ts"

// Generated files are not type-checked, so that the compiler resolves only the generated types that the app uses.
const HEADER = "// Written by kit generate; changes are lost.\n// @ts-nocheck\n"

const NO_TABLES = "// No file of the app mentions `db`. Once one does, the tables stand here.\nexport {}\n"

/** Returns the text of each file in `src/generated/`. The same app always gives the same text. */
export function generateFiles(input: CodegenInput): ReadonlyMap<string, string> {
  return new Map([
    ["app.ts", HEADER + appFile(input)],
    ["index.ts", HEADER + appConfigFile(input)],
    ["register.ts", HEADER + registerFile(input)],
    ["rows.ts", HEADER + rowsFile(input)],
    ["tables.ts", HEADER + (input.usesDatabase ? tablesFile(input) : NO_TABLES)],
  ])
}
