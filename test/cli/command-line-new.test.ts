// @module-tag not-about-engine

import { execFile } from "node:child_process"
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type CommandResult, runKit } from "../support/processes/kit-command.ts"

/** The folder of an app for which npm has packed kit. */
let blogs: string
let blog: CommandResult
/** Has `kit new` call a program that hands out that package. Packing it takes most of the command's work. */
let packed: Record<string, string>

beforeAll(async () => {
  blogs = await mkdtemp(join(tmpdir(), "kit new "))
  blog = await runKit(["new", "blog", "--no-install"], { cwd: blogs })
  packed = { npm_execpath: join(blogs, "npm-cli.js") }
  const vendor = JSON.stringify(join(blogs, "blog/vendor"))
  await writeFile(
    join(blogs, "npm-cli.js"),
    `require("fs").cpSync(${vendor}, process.argv.at(-1), { recursive: true })`,
  )
})

afterAll(() => rm(blogs, { recursive: true }))

test("kit new writes an app that carries kit along, and leaves a folder with files alone", async () => {
  const cwd = await mkdtemp(join(tmpdir(), "kit-new-"))
  const create = (...args: readonly string[]) => runKit(["new", ...args, "--no-install"], { cwd, env: packed })

  // A folder with only a new Git repository counts as empty.
  await mkdir(join(cwd, "our desks/my-desk/.git"), { recursive: true })
  await writeFile(join(cwd, "our desks/my-desk/.git/HEAD"), "ref: refs/heads/main\n")
  const made = await create("our desks/my-desk", "--template", "newsroom")
  const again = await create("our desks/my-desk")

  expect(made, made.output).toMatchObject({ code: 0 })
  expect(made.output).toMatch(/cd 'our desks\/my-desk'\n +npm install\n +npm run dev/)
  expect(made.output).toContain("of the console: http://localhost:3000/admin")
  const files = await readdir(join(cwd, "our desks/my-desk"), { recursive: true })
  expect(files).toContain(".git/HEAD")
  expect(files).toEqual(expect.arrayContaining([".gitignore", "README.md", "tsconfig.json", "kit.config.ts"]))
  expect(files).toEqual(expect.arrayContaining(["src/collections/articles.ts", "web/src/main.tsx"]))
  expect(files).not.toContain("node_modules")
  const manifest = JSON.parse(await readFile(join(cwd, "our desks/my-desk/package.json"), "utf8"))
  expect(manifest).toMatchObject({
    name: "my-desk",
    scripts: { dev: "npm run build:web && kit dev", test: "vitest run" },
  })
  expect(manifest.dependencies).toHaveProperty("zod")
  expect(files).toContain(manifest.dependencies.kit.replace("file:", ""))
  expect(await readFile(join(cwd, "our desks/my-desk/README.md"), "utf8")).toMatch(/^# my-desk\n/)
  expect(again.code).toBe(1)
  expect(again.output).toContain("my-desk is not empty")
  expect(again.output).toContain("nothing was written")
  await rm(cwd, { recursive: true })
})

test("kit new says why a folder cannot be created, and leaves nothing behind", async () => {
  const cwd = await mkdtemp(join(tmpdir(), "kit-new-"))
  const create = (folder: string, env: Record<string, string> = {}) =>
    runKit(["new", folder, "--no-install"], { cwd, env })
  await writeFile(join(cwd, "file"), "")
  await mkdir(join(cwd, "kept/.git"), { recursive: true })
  // Takes the place of npm, whose failure leaves the template without kit.
  await writeFile(join(cwd, "npm-cli.js"), "process.exit(1)")
  const failingNpm = { npm_execpath: join(cwd, "npm-cli.js") }

  const refused = [await create("/proc/app"), await create("file/app"), await create(`${"x".repeat(300)}/app`)]
  const unpacked = [await create("deep/in/app", failingNpm), await create("kept", failingNpm)]

  for (const { code, output } of refused) {
    expect(code, output).toBe(1)
    expect(output).toMatch(/app cannot be created: .+\. Choose another folder; nothing was written\.\n$/)
  }
  for (const { code, output } of unpacked) {
    expect(code, output).toBe(1)
    expect(output).toContain("npm pack failed.")
  }
  expect((await readdir(cwd, { recursive: true })).sort()).toEqual(["file", "kept", "kept/.git", "npm-cli.js"])
  await rm(cwd, { recursive: true })
})

test("the app of kit new has a route with zod, a person to sign in as, a test, and links to docs that come along", async () => {
  const read = (file: string) => readFile(join(blogs, "blog", file), "utf8")

  expect(blog.code, blog.output).toBe(0)
  const { scripts, dependencies, devDependencies } = JSON.parse(await read("package.json"))
  expect(scripts).toMatchObject({ test: "vitest run", typecheck: "kit generate && tsc", start: "kit start" })
  expect(dependencies).toHaveProperty("zod")
  expect(devDependencies).toMatchObject({ typescript: expect.any(String), vitest: expect.any(String) })
  const locked = Object.keys(JSON.parse(await read("package-lock.json")).packages)
  expect(locked).toEqual(expect.arrayContaining(["node_modules/zod", "node_modules/vitest", "node_modules/typescript"]))
  expect(await read(".gitignore")).toContain("\n.env.local\n")
  const [, email, password] = /email: "(\S+)", password: "([\w-]+)"/.exec(await read("kit.config.ts")) ?? []
  expect(await read("src/seeds/first-posts.ts")).toContain(`email: "${email}", password: "${password}"`)
  expect(await read("src/routes/posts/publish.ts")).toContain('from "zod"')
  expect(await read("test/posts.test.ts")).toContain('from "kit/testing"')
  const inPackage = new Set(await filesIn(join(blogs, "blog", dependencies.kit.replace("file:", ""))))
  const links = [...(await read("README.md")).matchAll(/\]\(node_modules\/kit\/(.+?)\)/g)].map(
    ([, path]) => `package/${path}`,
  )
  expect(links).toContain("package/docs/guide.md")
  expect(links.filter((path) => !inPackage.has(path))).toEqual([])
})

test("the template react has a page that is built before the app starts, with types of its own", async () => {
  const cwd = await mkdtemp(join(tmpdir(), "kit-new-"))
  const { code, output } = await runKit(["new", "list", "--template", "react", "--no-install"], { cwd, env: packed })
  const read = (file: string) => readFile(join(cwd, "list", file), "utf8")

  expect(code, output).toBe(0)
  const { scripts, dependencies, devDependencies } = JSON.parse(await read("package.json"))
  expect(scripts).toMatchObject({ dev: "npm run build:web && kit dev", build: "npm run build:web && kit build" })
  expect(scripts).toMatchObject({ start: "kit start", test: "vitest run", "watch:web": expect.any(String) })
  expect(dependencies).toHaveProperty("react")
  expect(devDependencies).toHaveProperty("vite")
  const locked = Object.keys(JSON.parse(await read("package-lock.json")).packages)
  expect(locked).toEqual(expect.arrayContaining(["node_modules/react-dom", "node_modules/vite"]))
  expect(await read("README.md")).toMatch(/^# list\n/)
  expect(await read("README.md")).toContain("npm run watch:web")
  expect(await read("kit.config.ts")).toContain('name: "list"')
  expect(await read("tsconfig.json")).not.toContain("../..")
  expect(JSON.parse(await read("web/tsconfig.json"))).toMatchObject({ extends: "../tsconfig.json" })
  expect(await read("web/src/main.tsx")).toContain("useLive(todos")
  await rm(cwd, { recursive: true })
})

async function filesIn(tarball: string): Promise<readonly string[]> {
  const { stdout } = await promisify(execFile)("tar", ["-tzf", tarball], { maxBuffer: 10_000_000 })
  return stdout.split("\n")
}
