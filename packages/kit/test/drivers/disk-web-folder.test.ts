import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { openDiskWebFolder } from "../../src/drivers/files/disk-web-folder.ts"
import type { WebFile } from "../../src/ports/web-folder.ts"

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kit-folder-"))
  writeFileSync(join(folder, "app.js"), "first build")
})
afterEach(() => rmSync(folder, { recursive: true }))

async function findScript(): Promise<WebFile> {
  const file = await openDiskWebFolder(folder).find(["app.js"])
  if (file === undefined || file === "folder") throw new Error("There is no app.js.")
  return file
}

const WHOLE = { start: 0, end: "first build".length }

describe("a file that was found", () => {
  test("is read as it was found", async () => {
    const file = await findScript()

    expect(String(await file.readAll())).toBe("first build")
    expect(await new Response(await file.open(WHOLE)).text()).toBe("first build")
  })

  test.each([
    {
      name: "replaced",
      change: () => {
        writeFileSync(join(folder, "next"), "the second build")
        renameSync(join(folder, "next"), join(folder, "app.js"))
      },
    },
    { name: "written anew", change: () => writeFileSync(join(folder, "app.js"), "the second build") },
    { name: "removed", change: () => rmSync(join(folder, "app.js")) },
  ])("is not read if it has been $name since", async ({ change }) => {
    const file = await findScript()

    change()

    expect(await file.readAll()).toBeUndefined()
    expect(await file.open(WHOLE)).toBeUndefined()
  })
})

test("a folder that is a link has its file at every moment, also while the link is pointed at another folder", async () => {
  const point = (name: string) => {
    symlinkSync(name, join(folder, "next"))
    renameSync(join(folder, "next"), join(folder, "current"))
  }
  for (const name of ["one", "two"]) {
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, "index.html"), name)
  }
  point("one")
  const current = openDiskWebFolder(join(folder, "current"))

  for (let turn = 0; turn < 500; turn++) {
    const finding = current.find(["index.html"])
    point(turn % 2 === 0 ? "two" : "one")
    expect(await finding).toBeDefined()
  }
})
