import { execFile } from "node:child_process"
import { mkdir, readdir, readFile, readlink, realpath, symlink } from "node:fs/promises"
import { createRequire } from "node:module"
import { join } from "node:path"
import { promisify } from "node:util"
import { fileOf, ROOT } from "./git.mjs"
import { showStep } from "./progress.mjs"
import { runCommand } from "./run-command.mjs"
import { makeTemporaryFolder } from "./temporary-folder.mjs"

const git = promisify(execFile)

/**
 * Makes a built work tree of a commit in a temporary folder, which is removed at the end.
 *
 * @param {string} commit
 * @param {import("./cleanup.mjs").Cleanup} cleanup
 * @returns {Promise<string>} its folder
 */
export async function makeOtherTree(commit, cleanup) {
  const tree = join(await makeTemporaryFolder(cleanup), "tree")
  showStep(`checking out ${commit.slice(0, 8)} …`)
  cleanup.add(() => removeTree(tree))
  await runCommand(["git", "worktree", "add", "--quiet", "--detach", tree, commit], { cwd: ROOT, cleanup })
  await installDependencies(tree, { commit, cleanup })
  showStep(`building ${commit.slice(0, 8)} …`)
  await runCommand(["npm", "run", "build", "--silent"], { cwd: tree, cleanup })
  await expectOwnPackage(tree)
  return tree
}

/** A checkout that was interrupted may have left nothing to remove. @param {string} tree */
async function removeTree(tree) {
  const { stdout } = await git("git", ["worktree", "list", "--porcelain"], { cwd: ROOT })
  const folder = await realpath(tree).catch(() => tree)
  if (!stdout.includes(`worktree ${folder}\n`)) return
  await git("git", ["worktree", "remove", "--force", "--force", folder], { cwd: ROOT })
}

/** @param {string} tree @param {{ commit: string, cleanup: import("./cleanup.mjs").Cleanup }} other */
async function installDependencies(tree, { commit, cleanup }) {
  const lock = fileOf(commit, "package-lock.json")
  if (lock !== (await readFile(join(ROOT, "package-lock.json"), "utf8"))) {
    showStep("its dependencies differ: npm ci …")
    return runCommand(["npm", "ci", "--prefer-offline", "--no-audit", "--no-fund"], { cwd: tree, cleanup })
  }
  for (const folder of installFolders(lock)) await linkPackages(join(ROOT, folder), join(tree, folder))
}

/** Returns the folders in which npm installs: that of the workspace, and those of its packages. @param {string} lock */
function installFolders(lock) {
  const packages = Object.keys(JSON.parse(lock).packages)
  return packages.filter((path) => !path.includes("node_modules")).map((path) => join(path, "node_modules"))
}

/**
 * Links every installed package. A package of the workspace is itself a relative link; it is created again, so that it
 * points to the sources of its own tree.
 *
 * @param {string} from
 * @param {string} to
 */
async function linkPackages(from, to) {
  const entries = await readdir(from, { withFileTypes: true }).catch(() => [])
  if (entries.length > 0) await mkdir(to, { recursive: true })
  for (const entry of entries) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isSymbolicLink()) await symlink(await readlink(source), target)
    else if (entry.name.startsWith("@")) await linkPackages(source, target)
    else if (entry.isDirectory()) await symlink(source, target)
  }
}

/**
 * Throws if the tree uses another tree's kit: both sides would be the same framework, and nothing would show it.
 *
 * @param {string} tree
 */
async function expectOwnPackage(tree) {
  const found = createRequire(join(tree, "bench/app/kit.config.ts")).resolve("kit/package.json")
  const own = await realpath(join(tree, "packages/kit/package.json"))
  if (found !== own) throw new Error(`The app in ${tree} would run on ${found}.`)
}
