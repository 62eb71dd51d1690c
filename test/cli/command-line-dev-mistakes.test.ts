// @module-tag not-about-engine
// @module-tag experiment

import { describe, expect, test } from "vitest"
import { DevApp } from "../support/processes/dev-app.ts"

const WORD = `
import { route } from "kit"
export default route().get().handler(() => "one")
`

const NOTES = `
import { collection } from "kit"
export default collection("notes")
  .fields(({ f }) => ({ text: f.text() }))
  .access({ read: true, create: true, update: true, delete: true })
`

const SEED = `
import { seed } from "kit"
export default seed(({ collections }) => collections.notes.create({ text: "seeded" }))
`

const KEPT = /still serving the last good version, waiting for a change/

// Each test has its own folder, port and database, and mostly waits for processes.
describe.concurrent("kit dev, while a file has a mistake,", () => {
  test("serves the last good version, and shows the mistake in the terminal and on the page", async () => {
    await using app = await DevApp.start({ "src/routes/word.ts": WORD })

    await app.folder.write("src/routes/word.ts", `${WORD}\nconst <b> =`)
    await app.dev.printed(/src\/routes\/word\.ts:\d+:\d+: .*\n {2}still serving the last good version/)

    expect(await app.read("/word")).toBe("one")
    expect(await app.mistake()).toMatch(/^src\/routes\/word\.ts:\d+:\d+: could not be loaded/)
    expect(await app.page()).toMatch(/role="alert">[\s\S]*src\/routes\/word\.ts:\d+:\d+: could not be loaded/)
    await app.folder.write("src/routes/word.ts", WORD.replace("one", "two"))
    await app.dev.printed(/still serving[\s\S]*word\.ts changed[\s\S]*ready in/)
    expect(await app.read("/word")).toBe("two")
    expect(await app.mistake()).toBe(null)
    expect(await app.page()).toContain('role="alert" hidden>')
  })

  test("changes no table if the database refuses the new version", async () => {
    await using app = await DevApp.start({ "src/collections/notes.ts": NOTES })
    const before = [await app.add("same"), await app.add("same")]

    await app.folder.write("src/collections/notes.ts", NOTES.replace("f.text()", "f.text().unique(), more: f.text()"))
    await app.dev.printed(KEPT)

    expect(before).toEqual([201, 201])
    expect(await app.mistake()).toMatch(/unique/)
    expect(await app.add("same")).toBe(201)
    expect(await app.read("/notes?columns[text]=true&limit=1")).toMatchObject({
      docs: [{ text: "same" }],
      totalDocs: 3,
    })
    await app.folder.write("src/collections/notes.ts", NOTES)
    await app.dev.printed(/still serving[\s\S]*ready in/)
    expect(await app.mistake()).toBe(null)
  })

  test("starts as soon as the folder of the web pages is there that it lacks", async () => {
    await using app = await DevApp.start({ "src/routes/word.ts": WORD })

    await app.folder.write("kit.config.ts", 'export default { web: { dir: "web/dist", spa: true } }')
    await app.dev.printed(/no folder "web\/dist"[\s\S]*still serving the last good version/)
    await app.folder.write("web/dist/index.html", "<p>Built.</p>")
    await app.dev.printed(/still serving[\s\S]*ready in/)

    expect(await app.page()).toBe("<p>Built.</p>")
  })

  test("serves on beside a file that never finishes loading, and ends that process at the next change", async () => {
    await using app = await DevApp.start({ "src/routes/word.ts": WORD })

    await app.folder.write("src/routes/word.ts", `console.log("looping")\nfor (;;);\n${WORD}`)
    await app.dev.printed(/looping\n {2}the app has not loaded after 10 s: .*\n {2}still serving the last good version/)
    const during = [await app.read("/word"), await app.mistake()]
    await app.folder.write("src/routes/word.ts", WORD.replace("one", "two"))
    await app.dev.printed(/looping[\s\S]*ready in/)

    expect(during).toEqual(["one", expect.stringContaining("has not loaded after 10 s")])
    expect(await app.read("/word")).toBe("two")
  })

  test("stops at Ctrl-C during the check, and leaves no process behind", async () => {
    await using app = await DevApp.start({ "src/routes/word.ts": WORD })
    await app.folder.write("src/routes/word.ts", `console.log("looping")\nfor (;;);\n${WORD}`)
    await app.dev.printed(/looping/)

    app.dev.interrupt()

    // It has exited once no process holds its output.
    expect(await app.dev.exit()).toBe(0)
    expect(app.dev.output).not.toMatch(/still serving|waiting for a change|was killed/)
  })

  // Among concurrent tests, only this `expect` knows to which of them a poll belongs.
  test("serves the last of several changes in a row", async ({ expect }) => {
    await using app = await DevApp.start({ "src/routes/word.ts": WORD })

    for (const [index, word] of ["two", "three", "four", "five"].entries()) {
      await app.folder.write("src/routes/word.ts", WORD.replace("one", word))
      await app.dev.printed(new RegExp(`(word\\.ts changed[\\s\\S]*){${index + 1}}`))
    }

    await expect.poll(() => app.read("/word").catch(() => "restarting")).toBe("five")
  })

  test("serves the app without the records of a seed that fails", async () => {
    await using app = await DevApp.start({
      "src/collections/notes.ts": NOTES,
      "src/seeds/notes.ts": SEED.replace("({ collections })", "({ collections, absent })").replace(
        "collections.n",
        "absent.n",
      ),
    })

    expect(app.dev.output).toContain("seeds/notes failed and was rolled back")
    expect(await app.mistake()).toContain("seeds/notes failed and was rolled back")
    expect(await app.read("/notes")).toMatchObject({ totalDocs: 0 })
    await app.folder.write("src/seeds/notes.ts", SEED)
    await app.dev.printed(/seeded seeds\/notes[\s\S]*ready in/)
    expect(await app.read("/notes")).toMatchObject({ totalDocs: 1 })
    expect(await app.mistake()).toBe(null)
  })
})
