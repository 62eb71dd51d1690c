// @module-tag not-about-engine

import { execFileSync } from "node:child_process"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"

const GIT_URL = new URL("../../bench/harness/git.mjs", import.meta.url).href
const FLAGS_URL = new URL("../../bench/harness/flags.mjs", import.meta.url).href
const APP_FILES = ["bench/app/kit.config.ts", "packages/kit/bin/kit.mjs", "package-lock.json"]

describe("bench --against", () => {
  let root = ""

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "kit-against-"))
  })

  afterEach(async () => {
    await rm(root, { recursive: true })
  })

  test("a ref is resolved to its commit", async () => {
    const commit = await commitFiles(root, APP_FILES)
    const { resolveCommit } = await import(GIT_URL)

    expect(resolveCommit("HEAD", root)).toBe(commit)
    expect(resolveCommit(commit.slice(0, 10), root)).toBe(commit)
  })

  test("a ref that does not exist, or looks like an option, is named in the error", async () => {
    await commitFiles(root, APP_FILES)
    const { resolveCommit } = await import(GIT_URL)

    expect(() => resolveCommit("mian", root)).toThrow('--against: there is no commit "mian" here.')
    expect(() => resolveCommit("--all", root)).toThrow('--against: there is no commit "--all" here.')
  })

  test("the reference is one fixed commit; a clone that lacks it is told how to get it", async () => {
    await commitFiles(root, APP_FILES)
    const { REFERENCE, resolveCommit } = await import(GIT_URL)

    expect(REFERENCE.commit).toMatch(/^[0-9a-f]{8,40}$/)
    expect(() => resolveCommit("reference", root)).toThrow(
      `the reference ${REFERENCE.commit} is not in this clone. git fetch --unshallow`,
    )
  })

  test("a commit without the app that is measured is refused before anything is built", async () => {
    await commitFiles(root, ["README.md"])
    const { resolveCommit } = await import(GIT_URL)

    expect(() => resolveCommit("HEAD", root)).toThrow(`--against: "HEAD" has no ${APP_FILES.join(", ")}`)
  })

  test("a folder that is not a checkout is refused", async () => {
    const { resolveCommit } = await import(GIT_URL)

    expect(() => resolveCommit("HEAD", root)).toThrow("--against needs a git checkout")
  })

  test("changes that are not committed make a tree dirty", async () => {
    await commitFiles(root, APP_FILES)
    const { isDirty } = await import(GIT_URL)
    const before = isDirty(root)

    await writeFile(join(root, "package-lock.json"), "changed")

    expect([before, isDirty(root)]).toEqual([false, true])
  })

  test("the flag goes with --quick and --only, and with no other", async () => {
    const { readFlags } = await import(FLAGS_URL)

    const plan = readFlags(["--against", "main", "--quick", "--only", "get"])

    expect(plan).toMatchObject({ against: "main", rounds: 3, hasStartup: false, isComplete: false })
    for (const other of ["--startup", "--profile"]) {
      expect(() => readFlags(["--against", "main", other])).toThrow("--against goes with --quick and --only alone.")
    }
    expect(() => readFlags(["--against", ""])).toThrow("--against: name a commit, branch or tag.")
  })
})

async function commitFiles(root: string, paths: readonly string[]): Promise<string> {
  for (const path of paths) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), path)
  }
  git(root, "init", "--quiet")
  git(root, "add", ".")
  git(root, "-c", "user.name=Test", "-c", "user.email=test@example.com", "commit", "--quiet", "-m", "First")
  return git(root, "rev-parse", "HEAD")
}

function git(cwd: string, ...args: string[]): string {
  return execFileSync("git", args, { cwd, encoding: "utf8", stdio: "pipe" }).trim()
}
