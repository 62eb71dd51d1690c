// @module-tag not-about-engine

import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { testApp } from "kit/testing"
import { afterAll, beforeAll, expect, test } from "vitest"
import { runKit } from "../support/processes/kit-command.ts"

const root = resolve("examples/newsroom")

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kit-openapi-"))
})
afterAll(() => rm(folder, { recursive: true }))

// There is no database at this address, and the command needs none.
const env = { DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" }

test("kit openapi prints the document that a developer gets from the running app", async () => {
  await using app = await testApp({ root })
  const admin = await app.signIn({ role: "admin" })
  const served = await app.fetch("/_kit/openapi.json?all=true", { headers: admin.headers })

  const printed = await runKit(["openapi"], { cwd: root, env })

  expect(printed, printed.output).toMatchObject({ code: 0 })
  expect(JSON.parse(printed.stdout)).toEqual(await served.json())
})

test("kit openapi --out writes the same document into a file, each time", async () => {
  const write = async (name: string) => {
    const { code, output } = await runKit(["openapi", "--out", join(folder, name)], { cwd: root, env })
    expect(code, output).toBe(0)
    expect(output).toContain(`wrote ${join(folder, name)}`)
    return readFile(join(folder, name), "utf8")
  }

  const first = await write("first.json")

  expect(JSON.parse(first)).toMatchObject({ openapi: "3.1.0", info: { title: "newsroom" } })
  expect(await write("second.json")).toBe(first)
})

test("kit openapi says if the file cannot be written", async () => {
  const refused = await runKit(["openapi", "--out", join(folder, "nothing", "file.json")], { cwd: root, env })

  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain("file.json could not be written")
})
