import { expect, test } from "vitest"
import { problemsOf } from "./problems-of.ts"

// Joined here, so that the check does not find them in this file.
const machinePath = ["", "work", "main", "notes.txt"].join("/")
const homePath = ["", "home", "ada", "kit"].join("/")
const registry = ["https:", "", "registry.example.com"].join("/")

test("an absolute path of a machine is found with its line", async () => {
  const problems = await problemsOf("words", { "docs/guide.md": `# Guide\n\nSee ${machinePath}\n` })

  expect(problems).toEqual(["docs/guide.md:3 contains an absolute path of one machine"])
})

test.each([
  ["a home folder", `cwd = "${homePath}"`, "an absolute path of one machine"],
  ["a file URL", `file://${machinePath}`, "an absolute path of one machine"],
  ["a registry", `registry=${registry}`, "the host of a package registry"],
])("%s is found", async (_name, text, words) => {
  expect(await problemsOf("words", { "a.txt": text })).toEqual([`a.txt:1 contains ${words}`])
})

test("a lockfile must not say where packages were downloaded", async () => {
  const packages = {
    "node_modules/pg": { resolved: "https://example.com/pg.tgz" },
    "node_modules/kit": { resolved: "packages/kit", link: true },
  }

  const problems = await problemsOf("words", { "package-lock.json": JSON.stringify({ packages }) })

  expect(problems).toEqual([
    'package-lock.json: node_modules/pg has a "resolved" URL; install with omit-lockfile-registry-resolved=true',
  ])
})

test("relative paths, binary files and installed packages are left alone", async () => {
  const problems = await problemsOf("words", {
    "a.ts": `import "..${machinePath}"`,
    "image.png": `\0${machinePath}`,
    "node_modules/pg/README.md": machinePath,
  })

  expect(problems).toEqual([])
})
