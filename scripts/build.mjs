import { fileURLToPath } from "node:url"
import { CONSOLE_BUILD, forgetBuild, isBuilt, KIT_BUILD, recordBuild } from "./build-record.mjs"
import { runTool } from "./checks/run-tool.mjs"

// node scripts/build.mjs    compiles and bundles the package and its console, except what is up to date
const root = fileURLToPath(new URL("..", import.meta.url))

if (!isBuilt(root, KIT_BUILD)) await build()
if (!process.exitCode && !isBuilt(root, CONSOLE_BUILD)) await buildConsole()

async function build() {
  forgetBuild(root, KIT_BUILD)
  const args = ["-b", "packages/kit/tsconfig.build.json"]
  const { ok, output } = await runTool(root, { package: "typescript", bin: "tsc", args })
  process.stdout.write(output)
  if (!ok) {
    process.exitCode = 1
    return
  }
  // Loaded here, because an up-to-date build needs no bundler.
  const { bundle } = await import("./bundle.mjs")
  await bundle(root)
  const { writeWebPackage } = await import("./web-package.mjs")
  await writeWebPackage(root)
  recordBuild(root, KIT_BUILD)
}

async function buildConsole() {
  forgetBuild(root, CONSOLE_BUILD)
  const { writeConsole } = await import("./console/console-package.mjs")
  await writeConsole(root)
  recordBuild(root, CONSOLE_BUILD)
}
