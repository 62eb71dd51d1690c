// @module-tag not-about-engine

import { mkdir, readdir, symlink } from "node:fs/promises"
import { join } from "node:path"
import { expect, test } from "vitest"
import { runKit } from "../support/processes/kit-command.ts"
import { appFolder } from "../support/processes/kit-process.ts"

const GOOD = `import { collection } from "kit"

export default collection("posts").fields(({ f }) => ({ title: f.text() }))
`

const BROKEN = {
  "src/collections/posts.ts": GOOD,
  "src/blog/collections/posts.ts": GOOD,
  "src/collections/syntax.ts": `import { collection } from "kit"\n\nexport default collection("syntax"\n`,
  "src/collections/throwing.ts": `import { collection } from "kit"\n\nexport default collection("throwing").fields(({ f }) => ({\n  name: f.txet(),\n}))\n`,
  "src/collections/named.ts": GOOD.replace("export default", "export const posts ="),
  "src/collections/wrong.ts": `export default { name: "wrong" }\n`,
  "src/collections/missing.ts": `import "./_nothing.ts"\n${GOOD}`,
  "src/collections/one.ts": `import "../_broken.ts"\n${GOOD}`,
  "src/collections/two.ts": `import "../_broken.ts"\n${GOOD}`,
  "src/collections/uninstalled.ts": `import "no-such-package"\n${GOOD}`,
  "src/collections/required.ts": `const { collection } = require("kit")\nmodule.exports = collection("required")\n`,
  "src/_broken.ts": `throw new Error("Not today.\\nNor tomorrow.")\n`,
  "src/jobs/misplaced.ts": GOOD,
  "kit.config.ts": "export default { bsePath: '/api' }\n",
}

test("every broken file is one line that says where and what, and nothing is generated", async () => {
  await using folder = await appFolder(BROKEN)

  const { code, output } = await runKit(["generate"], { cwd: folder.path })

  const lines = output.trim().split("\n")
  const lineOf = (file: string) => lines.filter((line) => line.startsWith(file))
  expect(code).toBe(1)
  expect(lineOf("src/collections/syntax.ts")).toEqual([
    expect.stringMatching(/^src\/collections\/syntax\.ts:4:\d+: .*Expected/),
  ])
  expect(lineOf("src/collections/throwing.ts")).toEqual([
    expect.stringMatching(/^src\/collections\/throwing\.ts:4:\d+: could not be loaded: f\.txet is not a function$/),
  ])
  expect(lineOf("src/collections/named.ts")).toEqual([
    expect.stringContaining(
      "src/collections/named.ts: has no default export. It should be a collection: export default",
    ),
  ])
  expect(lineOf("src/collections/wrong.ts")).toEqual([
    expect.stringContaining("its default export is not a collection"),
  ])
  expect(lineOf("src/collections/missing.ts")).toEqual([
    expect.stringContaining('could not be loaded: Could not resolve "./_nothing.ts"'),
  ])
  expect(lineOf("src/collections/uninstalled.ts")).toEqual([
    expect.stringContaining('there is no package "no-such-package". Run npm install no-such-package'),
  ])
  expect(lineOf("src/collections/required.ts")).toEqual([expect.stringContaining("require")])
  expect(lineOf("src/_broken.ts")).toEqual([
    expect.stringMatching(/^src\/_broken\.ts:1:\d+: could not be loaded: Not today\.$/),
  ])
  expect(lineOf("src/jobs/misplaced.ts")).toEqual([expect.stringContaining("move the file to collections/.")])
  expect(lineOf("kit.config.ts")).toEqual([expect.stringContaining("bsePath")])
  expect(lines.filter((line) => line.includes('"posts" is already declared in'))).toHaveLength(1)
  expect(lines).toHaveLength(11)
  expect(await readdir(join(folder.path, "src"))).not.toContain("generated")
})

test("a link in the place of a file or folder that kit reads is named, and others are left alone", async () => {
  await using folder = await appFolder({
    "src/collections/posts.ts": GOOD,
    "shared/tags.ts": GOOD,
    "shared/index.ts": "",
  })
  const link = (place: string) => symlink(join(folder.path, "shared"), join(folder.path, place))
  await mkdir(join(folder.path, "src/routes"))
  await symlink(join(folder.path, "shared/tags.ts"), join(folder.path, "src/collections/tags.ts"))
  await symlink("ann@machine.1", join(folder.path, "src/collections/.#posts.ts"))
  for (const place of ["src/routes/api", "src/jobs", "src/shared"]) await link(place)

  const { code, output } = await runKit(["generate"], { cwd: folder.path })

  expect(code).toBe(1)
  const remedy =
    "is a symbolic link, which kit does not follow. Put the file itself there, or one that exports what it exports."
  expect(output.trim().split("\n").sort()).toEqual([
    `src/collections/tags.ts: ${remedy}`,
    `src/jobs: ${remedy}`,
    `src/routes/api: ${remedy}`,
  ])
})
