import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"

const CHECKS_URL = new URL("../../../../scripts/checks/all-checks.mjs", import.meta.url).href

type Check = (root: string) => Promise<string[]>

/** Runs one check of scripts/checks on a workspace made of just these files. */
export async function problemsOf(name: string, files: Record<string, string>): Promise<string[]> {
  const check = await loadCheck(name)
  const root = await mkdtemp(join(tmpdir(), "kit-check-"))
  try {
    for (const [path, text] of Object.entries(files)) await writeInto(join(root, path), text)
    return await check(root)
  } finally {
    await rm(root, { recursive: true })
  }
}

async function loadCheck(name: string): Promise<Check> {
  // The scripts are plain JavaScript outside this project's types; all-checks.mjs declares exactly this shape.
  const { CHECKS } = (await import(CHECKS_URL)) as { CHECKS: Record<string, Check> }
  const check = CHECKS[name]
  if (!check) throw new Error(`There is no check "${name}".`)
  return check
}

async function writeInto(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}
