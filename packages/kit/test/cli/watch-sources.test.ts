import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { describe, expect, test } from "vitest"
import { watchSources } from "../../src/cli/sources/watch-sources.ts"

/**
 * Watches a new folder; `next` resolves to the change that follows what `act` does. All folders are made before, because
 * the event of a new one may arrive late.
 */
async function watched() {
  const root = await mkdtemp(join(tmpdir(), "kit-watch-"))
  for (const folder of ["src/routes", "src/lib"]) await mkdir(join(root, folder), { recursive: true })
  await writeFile(join(root, "src/routes/hello.ts"), "")
  let heard = (_file: string) => {}
  const watch = watchSources(root, (file) => heard(file))
  const next = async (act: () => Promise<unknown>) => {
    const change = new Promise<string>((resolve) => {
      heard = resolve
    })
    await act()
    return await change
  }
  const stop = async () => {
    watch.close()
    await rm(root, { recursive: true })
  }
  return { path: (file: string) => join(root, file), watch, next, [Symbol.asyncDispose]: stop }
}

test("a folder that is moved away, and one that is moved in with its files, are changes", async () => {
  await using sources = await watched()
  const { path, next } = sources

  const away = await next(() => rename(path("src/routes"), path("elsewhere")))
  const back = await next(() => rename(path("elsewhere"), path("src/routes")))

  expect([away, back]).toEqual(["src/routes", "src/routes"])
})

test("a folder that was removed and made again is watched again, and so is what is in it", async () => {
  await using sources = await watched()
  const { path, next } = sources
  await mkdir(path("src/routes/admin"))

  await next(() => rm(path("src/routes"), { recursive: true }))
  await mkdir(path("src/routes/admin"), { recursive: true })
  const made = await next(() => writeFile(path("src/routes/admin/stats.ts"), ""))
  const edited = await next(() => writeFile(path("src/routes/admin/stats.ts"), "export {}"))

  expect(made).toContain("src/routes")
  expect(edited).toBe("src/routes/admin/stats.ts")
})

test("files elsewhere are watched once they are followed, installed ones and their neighbours are not", async () => {
  await using sources = await watched()
  const { path, watch, next } = sources
  const installed = path("node_modules/other/index.js")
  for (const folder of ["packages/shared", "node_modules/other"]) await mkdir(path(folder), { recursive: true })
  await writeFile(installed, "")

  watch.follow([path("packages/shared/index.ts"), installed, path("src/routes/hello.ts")])
  const heard = await next(async () => {
    await writeFile(installed, "export {}")
    await writeFile(path("packages/shared/notes.md"), "")
    await writeFile(path("packages/shared/index.ts"), "")
  })

  expect(heard).toBe("packages/shared/index.ts")
})

describe("while the app runs", () => {
  const FILES = ["src/routes/hello.ts", "src/lib/_used.ts", "src/lib/data.json"]

  /** Watches the sources of an app that runs and imports `FILES`. */
  async function running() {
    const sources = await watched()
    sources.watch.follow(FILES.map(sources.path))
    sources.watch.ignoreUnused()
    return sources
  }

  // The last of several changes is reported, so the ignored file is written after the one that matters.
  test.each([
    "src/routes/_unused.ts",
    "src/routes/hello.test.ts",
    "src/routes/hello.spec.ts",
    "src/routes/types.d.ts",
    "src/lib/unused.ts",
    "src/lib/other.json",
    "src/notes.md",
  ])("%s, which it does not import, does not matter", async (unused) => {
    await using sources = await running()
    const { path, next } = sources

    const made = await next(async () => {
      await writeFile(path("src/routes/hello.ts"), "export {}")
      await writeFile(path(unused), "export {}")
    })
    const changed = await next(async () => {
      await writeFile(path("src/routes/hello.ts"), "")
      await writeFile(path(unused), "")
    })

    expect([made, changed]).toEqual(["src/routes/hello.ts", "src/routes/hello.ts"])
  })

  test.each([
    ...FILES,
    "kit.config.ts",
    "src/routes/new.ts",
    "src/shop/collections/goods.ts",
    "src/routes/deep/er/x.ts",
  ])("%s, which it imports or will load, matters", async (file) => {
    await using sources = await running()
    const { path, next } = sources

    const changed = await next(async () => {
      await mkdir(dirname(path(file)), { recursive: true })
      await writeFile(path(file), "export {}")
    })

    expect(file).toContain(changed)
  })

  test("a folder matters if something in it is imported", async () => {
    await using sources = await running()
    const { path, next } = sources
    await mkdir(path("src/drafts"))

    const changed = await next(async () => {
      await rename(path("src/lib"), path("src/moved"))
      await rename(path("src/drafts"), path("src/others"))
    })

    expect(changed).toBe("src/lib")
  })

  test("and everything matters again when it has ended", async () => {
    await using sources = await running()
    const { path, watch, next } = sources

    watch.heedEverySource()
    const changed = await next(() => writeFile(path("src/lib/_missing.ts"), ""))

    expect(changed).toBe("src/lib/_missing.ts")
  })
})
