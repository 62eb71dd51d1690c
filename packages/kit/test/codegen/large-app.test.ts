// @module-tag experiment

import { execFile } from "node:child_process"
import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { expect, test } from "vitest"
import { appFolder, compiler } from "./app-folder.ts"
import { LARGE_APP, largeAppFiles, largeAppOfBlocksFiles } from "./large-app.ts"

const run = promisify(execFile)
const kit = fileURLToPath(new URL("../../bin/kit.mjs", import.meta.url))

// The compiler's cost for the packages alone.
const EMPTY = new Map([["src/empty.ts", ["kit", "kit/client", "kit/services", "zod"].map(importing).join("")]])

// A single checker does everything once, however the files are distributed.
const ONE_CHECKER = ["--checkers", "1"]

interface LargeApp {
  readonly app: string
  readonly files: ReadonlyMap<string, string>
  /** With the compiler's default settings: each checker evaluates the shared types of its files again. */
  readonly maxInstantiations: number
  /** A compiler reads all of it, used or not: a tenth of a second for each megabyte. */
  readonly maxTextBytes: number
}

const APPS: readonly LargeApp[] = [
  { app: "200 collections", files: largeAppFiles(), maxInstantiations: 60_000, maxTextBytes: 2_450_000 },
  {
    app: "200 collections with blocks",
    files: largeAppOfBlocksFiles(),
    ...{ maxInstantiations: 68_000, maxTextBytes: 3_500_000 },
  },
]

test.each(APPS)(
  "an app of $app is generated once and compiles without a complaint, at a known cost",
  async ({ files, maxInstantiations, maxTextBytes }) => {
    await using app = await appFolder(files)
    await using empty = await appFolder(EMPTY)

    const first = await command(app.path, [kit, "generate"])
    const second = await command(app.path, [kit, "generate"])
    const base = await typeCheck(empty.path, ONE_CHECKER)
    const byOne = await typeCheck(app.path, ONE_CHECKER)
    const whole = await typeCheck(app.path)

    const cpuS = byOne.cpuS - base.cpuS
    console.log(
      `${LARGE_APP.collections} collections: generated in ${second.cpuS.toFixed(2)} s, checked in ${cpuS.toFixed(2)} s of the processor, ${whole.instantiations} instantiations, ${byOne.instantiations} by one checker`,
    )
    expect(first.output).toContain("src/generated/index.ts")
    expect(second.output).toContain("src/generated is up to date")
    expect(whole.output).not.toContain("error TS")
    expect(await bytesIn(join(app.path, "src", "generated"))).toBeLessThan(maxTextBytes)
    expect(byOne.instantiations).toBeGreaterThan(base.instantiations)
    expect(whole.instantiations).toBeLessThanOrEqual(maxInstantiations)
  },
  180_000,
)

interface Outcome {
  readonly output: string
  readonly cpuS: number
}

type Checked = Outcome & { readonly instantiations: number }

async function typeCheck(folder: string, options: readonly string[] = []): Promise<Checked> {
  const args = [compiler, "--noEmit", "--extendedDiagnostics", "--pretty", "false", ...options]
  const outcome = await command(folder, args)
  return { ...outcome, instantiations: Number(/Instantiations:\s+(\d+)/.exec(outcome.output)?.[1] ?? Number.NaN) }
}

// The shell prints the CPU time of its children as the last line of its output.
async function command(cwd: string, args: readonly string[]): Promise<Outcome> {
  const { stdout } = await run("/bin/sh", ["-c", '"$@" 2>&1; times', "sh", process.execPath, ...args], { cwd })
  const spent = [...(stdout.trimEnd().split("\n").at(-1) ?? "").matchAll(/(\d+)m([\d.]+)s/g)]
  const cpuS = spent.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0)
  return { output: stdout, cpuS }
}

async function bytesIn(folder: string): Promise<number> {
  const sizes = (await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size)
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

function importing(name: string): string {
  return `import "${name}"\n`
}
