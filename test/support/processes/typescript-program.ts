import { createRequire } from "node:module"
import { fileURLToPath, pathToFileURL } from "node:url"

/** The arguments that teach Node to read TypeScript. */
export const TYPESCRIPT_ARGUMENTS: readonly string[] = Object.freeze([
  "--import",
  pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href,
])

/** Returns the arguments with which Node runs a program of the tests. It takes kit from the build, as an app does. */
export function argumentsOf(program: URL, ...args: string[]): string[] {
  return [...TYPESCRIPT_ARGUMENTS, fileURLToPath(program), ...args]
}
