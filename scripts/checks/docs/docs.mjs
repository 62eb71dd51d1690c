import { existsSync } from "node:fs"
import { mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { runTool } from "../run-tool.mjs"
import { listFiles } from "../sources/source-files.mjs"
import { extractBlocks } from "./doc-blocks.mjs"
import { linkProblems } from "./doc-links.mjs"
import { settingsPageProblems } from "./settings-page.mjs"

/** @typedef {import("./doc-blocks.mjs").Block & { page: string }} PageBlock */

// Inside the workspace, so that packages resolve as they do for its own code; ignored by git.
const WORK_FOLDER = ".kit/docs-check"
// The copies that a package gets when it is packed; ignored by git.
const PACKED_DOCS = "packages/kit/docs/"
const README_COMMANDS = ["npm ci && npm start", "npm ci && npm test"]
const DIAGNOSTIC = /^(.+?)\((\d+),\d+\): (.*)$/s

/**
 * The pages must compile: TypeScript blocks pass the type check, relative links have a target, README shows its
 * commands, and the reference of settings has the tables of the code.
 *
 * @param {string} root
 * @returns {Promise<string[]>}
 */
export async function checkDocs(root) {
  const problems = []
  /** @type {PageBlock[]} */
  const blocks = []
  for (const page of (await listFiles(root)).filter(isPage)) {
    const text = await readFile(join(root, page), "utf8")
    problems.push(...linkProblems(root, page, text))
    if (!isChecked(page)) continue
    const extracted = extractBlocks(page, text)
    problems.push(...extracted.problems)
    blocks.push(...extracted.blocks.map((block) => ({ ...block, page })))
  }
  problems.push(...(await readmeProblems(root)))
  problems.push(...(await settingsPageProblems(root)))
  problems.push(...(await typeProblems(root, blocks)))
  return problems
}

/** @param {string} path */
function isPage(path) {
  return path.endsWith(".md") && !path.startsWith(PACKED_DOCS)
}

/** Checks pages at the root and in docs. Pages of templates and fixtures are not checked. @param {string} page */
function isChecked(page) {
  return !page.includes("/") || page.startsWith("docs/")
}

/** @param {string} root */
async function readmeProblems(root) {
  const readme = await readFile(join(root, "README.md"), "utf8").catch(() => undefined)
  if (readme === undefined) return ["README.md does not exist"]
  return README_COMMANDS.filter((command) => !readme.includes(command)).map((command) => `README.md lacks "${command}"`)
}

/** @param {string} root @param {PageBlock[]} blocks */
async function typeProblems(root, blocks) {
  await rm(join(root, WORK_FOLDER), { recursive: true, force: true })
  if (blocks.length === 0) return []
  await writeProject(root, blocks)
  const args = ["--noEmit", "--pretty", "false", "-p", `${WORK_FOLDER}/tsconfig.json`]
  const { ok, output } = await runTool(root, { package: "typescript", bin: "tsc", args })
  if (ok) return []
  const byPath = new Map(blocks.map((block) => [`${WORK_FOLDER}/${block.path}`, block]))
  return output
    .trim()
    .split(/\n(?!\s)/)
    .flatMap((diagnostic) => pageProblem(diagnostic, byPath))
}

/** @param {string} root @param {PageBlock[]} blocks */
async function writeProject(root, blocks) {
  for (const { path, text } of blocks) {
    const target = join(root, WORK_FOLDER, path)
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, text)
  }
  const up = "../".repeat(WORK_FOLDER.split("/").length)
  // Blocks resolve as if they were files of the example, so that `./generated` means its types.
  const rootDirs = [...new Set(blocks.map(({ page }) => page.replace(/\.md$/, ""))), `${up}examples/newsroom`]
  const config = {
    extends: `${up}tsconfig.json`,
    compilerOptions: { rootDirs, jsx: "react-jsx" },
    files: [...blocks.map(({ path }) => path), ...registrationOf(root, up)],
    include: [],
  }
  await writeFile(join(root, WORK_FOLDER, "tsconfig.json"), JSON.stringify(config))
}

// Returns the file in which the generated code of the example registers its names with the authoring API.
function registrationOf(root, up) {
  const file = "examples/newsroom/src/generated/register.ts"
  return existsSync(join(root, file)) ? [up + file] : []
}

/**
 * The type check reports errors in files that are not blocks.
 *
 * @param {string} diagnostic
 * @param {Map<string, PageBlock>} blocks
 */
function pageProblem(diagnostic, blocks) {
  const [, path, line, message] = DIAGNOSTIC.exec(diagnostic) ?? []
  if (path === undefined) return [diagnostic]
  const block = blocks.get(path)
  return block ? [`${block.page}:${block.pageLine(Number(line))} ${message}`] : []
}
