import { execFileSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { UsageError } from "./flags.mjs"

/** The folder of this checkout. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url))

/**
 * The commit that `--against reference` names. It is fixed, because many small losses against the commit before add up unseen: after
 * this commit, a get fell from 1.22 to 1.02 of raw, although no change had made it slower than noise.
 */
export const REFERENCE = { name: "reference", commit: "16efbc32" }

// Without these a commit has no app that could be measured.
const NEEDED = ["bench/app/kit.config.ts", "packages/kit/bin/kit.mjs", "package-lock.json"]

/**
 * Returns the commit that a ref names.
 *
 * @param {string} ref
 * @param {string} [root]
 */
export function resolveCommit(ref, root = ROOT) {
  if (tryGit(root, "rev-parse", "--git-dir") === undefined) {
    throw new UsageError(`--against needs a git checkout, and ${root} is not one.`)
  }
  const isReference = ref === REFERENCE.name
  const named = isReference ? REFERENCE.commit : ref
  // A ref that starts with a hyphen would be read as an option.
  const commit = tryGit(root, "rev-parse", "--verify", "--quiet", "--end-of-options", `${named}^{commit}`)
  if (commit === undefined && isReference) {
    throw new UsageError(
      `--against: the reference ${named} is not in this clone. git fetch --unshallow gets the commits that are missing.`,
    )
  }
  if (commit === undefined) {
    throw new UsageError(
      `--against: there is no commit "${ref}" here. Name a commit, branch or tag; git fetch gets more.`,
    )
  }
  const missing = NEEDED.filter((path) => tryGit(root, "cat-file", "-e", `${commit}:${path}`) === undefined)
  if (missing.length > 0) {
    throw new UsageError(
      `--against: "${ref}" has no ${missing.join(", ")}, so its app cannot be measured. Name a later commit.`,
    )
  }
  return commit
}

/** True if tracked files differ from the last commit. @param {string} [root] */
export function isDirty(root = ROOT) {
  return tryGit(root, "status", "--porcelain", "--untracked-files=no") !== ""
}

/** @param {string} commit @param {string} path */
export function fileOf(commit, path) {
  return execFileSync("git", ["show", `${commit}:${path}`], { cwd: ROOT, encoding: "utf8", maxBuffer: 2 ** 26 })
}

/** Returns the output of git, or undefined if it fails. @param {string} cwd @param {...string} args */
function tryGit(cwd, ...args) {
  try {
    return execFileSync("git", args, { cwd, encoding: "utf8", stdio: "pipe" }).trim()
  } catch {
    return undefined
  }
}
