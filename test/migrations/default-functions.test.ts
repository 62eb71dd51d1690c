// @module-tag not-about-engine

import { type Collection, collection, global } from "kit"
import { describe, expect, test } from "vitest"
import { freshDatabase, startOn } from "../support/worlds/synced-app.ts"

describe("a required field whose default is a function", () => {
  test("gets a value of its own in each existing record, and stays as it is afterwards", async () => {
    const database = await freshDatabase()
    const first = await startOn(database, [items((f) => ({ name: f.text() }))])
    for (const name of ["a", "b", "c"]) await first.system.collections["items"]?.create({ name })
    const coded = [items((f) => ({ name: f.text(), code: f.text().required().unique().default(counted("code")) }))]

    await startOn(database, coded)
    const again = await startOn(database, coded)

    const { docs = [] } = (await again.system.collections["items"]?.find({ orderBy: { code: "asc" } })) ?? {}
    expect(docs.map(({ code }) => code)).toEqual(["code-1", "code-2", "code-3"])
    expect(again.syncReport.changes).toEqual([])
    await expect(database.query("update items set code = null")).rejects.toThrow("violates not-null")
  })

  test.each<[string, (f: any) => any, unknown]>([
    ["a date", (f) => f.datetime().default(() => new Date(0)), new Date(0)],
    ["a list", (f) => f.array(f.text()).default(() => ["x"]), ["x"]],
    ["JSON", (f) => f.json().default(() => ({ a: [1] })), { a: [1] }],
    [
      "a decimal",
      (f) =>
        f
          .number()
          .decimal(5, 2)
          .default(() => 1),
      "1.00",
    ],
    [
      "localized text",
      (f) =>
        f
          .text()
          .localized()
          .default(() => "x"),
      "x",
    ],
  ])("fills a field of %s", async (_name, declare, expected) => {
    const database = await freshDatabase()
    const first = await startOn(database, [items((f) => ({ name: f.text() }))])
    await first.system.collections["items"]?.create({ name: "a" })

    const second = await startOn(database, [items((f) => ({ name: f.text(), added: declare(f).required() }))])

    expect(await second.system.collections["items"]?.findOne()).toMatchObject({ name: "a", added: expected })
  })

  test("fills only the records without a value if the field becomes required", async () => {
    const database = await freshDatabase()
    const first = await startOn(database, [items((f) => ({ name: f.text() }))])
    for (const name of ["a", null]) await first.system.collections["items"]?.create({ name })

    const second = await startOn(database, [items((f) => ({ name: f.text().required().default(counted("n")) }))])

    const { docs = [] } = (await second.system.collections["items"]?.find({ orderBy: { name: "asc" } })) ?? {}
    expect(docs.map(({ name }) => name)).toEqual(["a", "n-1"])
  })

  test("gives a stage copy the value of its record, and fills a global", async () => {
    const database = await freshDatabase()
    const workflow = { stages: { draft: { to: ["published"] }, published: { to: ["draft"] } } }
    const staged = (declare: (f: any) => Record<string, any>) => items(declare).options({ workflow, versions: true })
    const site = (declare: (f: any) => Record<string, any>) => global("site").fields(({ f }) => declare(f))
    const first = await startOn(database, [staged((f) => ({ name: f.text() })), site((f) => ({ name: f.text() }))])
    const { id = "" } = (await first.system.collections["items"]?.create({ name: "a" })) ?? {}
    await first.system.collections["items"]?.transitionStage({ id: String(id), stage: "published" })
    await first.system.globals["site"]?.update({ name: "News" })
    const code = (f: any) => ({ name: f.text(), code: f.text().required().default(counted("code")) })

    const second = await startOn(database, [staged(code), site(code)])

    const rows = await database.query('select code from items union all select code from "items.stage.published"')
    expect(rows).toEqual([{ code: "code-1" }, { code: "code-1" }])
    expect(await second.system.globals["site"]?.get()).toMatchObject({ name: "News", code: "code-1" })
  })

  test("stops the start if the function returns something else, and changes nothing", async () => {
    const database = await freshDatabase()
    const first = await startOn(database, [items((f) => ({ name: f.text() }))])
    await first.system.collections["items"]?.create({ name: "a" })

    const second = startOn(database, [
      items((f) => ({
        name: f.text(),
        size: f
          .number()
          .required()
          .default(() => "x"),
      })),
    ])

    await expect(second).rejects.toThrow(
      'The default of the field "size" of "items" returned a value for an existing record that does not fit: ',
    )
    const again = await startOn(database, [items((f) => ({ name: f.text() }))])
    expect(again.syncReport.kept).toEqual([])
    expect(again.syncReport.addedColumns).toEqual([])
  })
})

function items(declare: (f: any) => Record<string, any>): Collection<any> {
  return collection("items").fields(({ f }) => declare(f))
}

function counted(prefix: string): () => string {
  let count = 0
  return () => {
    count += 1
    return `${prefix}-${count}`
  }
}
