import { cp, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import react from "@vitejs/plugin-react"
import { build } from "vite"
import { runTool } from "./checks/run-tool.mjs"

const ROOT = fileURLToPath(new URL("..", import.meta.url))
const TARBALL = join(ROOT, "packages/kit/dist/kit-web.tgz")
const MAX_INSTALLED_BYTES = 2_000_000
// The other packages that the page needs. The workspace has them already.
const OTHER_PACKAGES = [
  "@tanstack/query-core",
  "@tanstack/react-query",
  "@types/react",
  "@types/react-dom",
  "csstype",
  "react",
  "react-dom",
  "scheduler",
]

/**
 * Installs the package for front ends in a folder of its own, next to an app made of the template "minimal", and builds
 * a page with it.
 *
 * @param {string} parent the folder that contains the app, whose name is "app"
 * @param {(cwd: string, command: string[]) => Promise<void>} run
 */
export async function tryWebPackage(parent, run) {
  const web = join(parent, "web")
  await cp(join(ROOT, "scripts/web-page"), web, { recursive: true })
  await writeFile(join(web, "package.json"), '{ "private": true, "type": "module" }\n')
  await run(web, ["npm", "install", "--no-audit", "--no-fund", TARBALL])
  await expectSmall(join(web, "node_modules"))
  for (const name of OTHER_PACKAGES) await copyPackage(name, web)
  await expectTypes(web)
  await expectPage(web)
}

/** @param {string} folder */
async function expectSmall(folder) {
  const paths = await readdir(folder, { recursive: true })
  const sizes = await Promise.all(paths.map(async (path) => bytesOnDisk(join(folder, path))))
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  console.log(`The package for front ends takes ${bytes} bytes on disk; at most ${MAX_INSTALLED_BYTES}`)
  if (bytes > MAX_INSTALLED_BYTES) throw new Error("The package for front ends is too large.")
}

/** @param {string} path */
async function bytesOnDisk(path) {
  const { blocks = 0, size } = await stat(path)
  return Math.max(blocks * 512, size)
}

/** @param {string} name @param {string} web */
async function copyPackage(name, web) {
  const target = join(web, "node_modules", name)
  await mkdir(dirname(target), { recursive: true })
  await cp(join(ROOT, "node_modules", name), target, { recursive: true, dereference: true })
}

/** @param {string} web */
async function expectTypes(web) {
  const { ok, output } = await runTool(web, { package: "typescript", bin: "tsc", args: ["-p", "."] })
  if (!ok) throw new Error(`The page does not compile:\n${output}`)
}

/** @param {string} web */
async function expectPage(web) {
  await build({ root: web, logLevel: "warn", plugins: [react()] })
  const names = (await readdir(join(web, "dist/assets"))).filter((name) => name.endsWith(".js"))
  const codes = await Promise.all(names.map((name) => readFile(join(web, "dist/assets", name), "utf8")))
  if (!codes.some((code) => code.includes("/realtime"))) throw new Error("The page was built without the client.")
}
