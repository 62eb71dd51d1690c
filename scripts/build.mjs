import { fileURLToPath } from "node:url"
import { forgetBuild, isBuilt, recordBuild } from "./build-record.mjs"
import { runTool } from "./checks/run-tool.mjs"

// node scripts/build.mjs    compiles and bundles the package, unless the last build is up to date
const root = fileURLToPath(new URL("..", import.meta.url))

if (!isBuilt(root)) await build()

async function build() {
  forgetBuild(root)
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
  recordBuild(root)
}
