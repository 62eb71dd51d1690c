import { execFile } from "node:child_process"
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const run = promisify(execFile)
const root = fileURLToPath(new URL("../../../../", import.meta.url))
export const compiler = join(root, "node_modules", "typescript", "bin", "tsc")

// An author's compiler sees the declarations of the built package, and so need not check its sources.
const TSCONFIG = {
  extends: join(root, "tsconfig.base.json"),
  compilerOptions: { noEmit: true, noUnusedLocals: true, allowImportingTsExtensions: true, customConditions: [] },
  include: ["src"],
}

/** A folder like an author's, with its own compiler settings; it is removed when it goes out of scope. */
export async function appFolder(files: ReadonlyMap<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), "kit-codegen-"))
  await symlink(join(root, "node_modules"), join(folder, "node_modules"))
  await writeFile(join(folder, "package.json"), '{ "type": "module" }')
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(TSCONFIG))
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  return {
    path: folder,
    /** Returns the errors of the compiler, one line each. */
    complaints: async (...options: string[]) => lines(await compile(folder, options)),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  }
}

async function compile(folder: string, options: string[]): Promise<string> {
  try {
    return (await run(process.execPath, [compiler, "--pretty", "false", ...options], { cwd: folder })).stdout
  } catch (error) {
    if (error instanceof Error && "stdout" in error) return String(error.stdout)
    throw error
  }
}

function lines(output: string): string[] {
  return output.split("\n").filter((line) => line !== "")
}
