import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { AppMistakesError } from "../../app/definition/app-mistakes.ts"
import { parseEnvFile } from "./parse-env-file.ts"

/** The files with environment variables in an app's folder. A later file takes precedence over an earlier one. */
export const ENV_FILES = [".env", ".env.local"] as const

// The variables that `loadEnvFiles` has set in this process.
const loaded = new Set<string>()

/**
 * Sets the environment variables of the app's `.env` and `.env.local`. A variable that is set already, even to an empty
 * text, keeps its value.
 */
export async function loadEnvFiles(root: string): Promise<void> {
  const files = await Promise.all(ENV_FILES.map((file) => readVariables(root, file)))
  const mistakes = files.flatMap((file) => file.mistakes)
  if (mistakes.length > 0) throw new AppMistakesError(mistakes)
  for (const [name, value] of new Map(files.flatMap((file) => [...file.variables]))) {
    if (process.env[name] !== undefined) continue
    process.env[name] = value
    loaded.add(name)
  }
}

/** Returns the environment as it was before `loadEnvFiles`, for a child process that reads the files itself. */
export function environmentWithoutFiles(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !loaded.has(name)))
}

async function readVariables(root: string, file: string) {
  return parseEnvFile(file, await readIfFile(join(root, file)))
}

// A folder is treated as a missing file, because other tools create folders with the name `.env`.
function readIfFile(path: string): Promise<string> {
  return readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "EISDIR") return ""
    throw error
  })
}
