// @module-tag not-about-engine

import { type Collection, collection, global } from "kit"
import { describe, expect, test } from "vitest"
import type { TestDatabase } from "../support/test-database.ts"
import { freshDatabase, startOn } from "../support/worlds/synced-app.ts"

const LOCALES = { locales: { default: "en", all: ["en", "sk"] } }

describe("an option that a select field no longer has", () => {
  test("stops the start while records hold it, with their number, and changes nothing", async () => {
    const database = await freshDatabase()
    const first = await startOn(database, [items((f) => ({ kind: f.select(["a", "b", "c"]) }))])
    for (const kind of ["a", "b", "b", "c"]) await first.system.collections["items"]?.create({ kind })

    const second = startOn(database, [items((f) => ({ kind: f.select(["a"]), other: f.text() }))])

    await expect(second).rejects.toThrow(
      'Records of "items" have values in "kind" that are not among its options. They hold "b" (2×), "c" (1×). ' +
        'Keep the options, or replace them: .replacedOptions({ old: "new" }), where null empties the field.',
    )
    const again = await startOn(database, [items((f) => ({ kind: f.select(["c", "b", "a"]) }))])
    expect(again.syncReport).toMatchObject({ addedColumns: [], changes: [] })
    expect(await again.system.collections["items"]?.count({ where: { kind: "b" } })).toBe(2)
  })

  test("may go if no record holds it, and may come back", async () => {
    const database = await freshDatabase()
    await startOn(database, [items((f) => ({ kind: f.select(["a", "b"]) }))])
    await startOn(database, [items((f) => ({ kind: f.select(["a"]) }))])

    const third = await startOn(database, [items((f) => ({ kind: f.select(["a", "b"]) }))])
    await third.system.collections["items"]?.create({ kind: "b" })

    const fewer = startOn(database, [items((f) => ({ kind: f.select(["a"]) }))])
    await expect(fewer).rejects.toThrow('They hold "b" (1×).')
  })

  test.each<[string, (f: any) => any, (f: any) => any]>([
    ["text before", (f) => f.text(), (f) => f.select(["a"])],
    ["removed in between", (f) => f.select(["a", "b"]), (f) => f.select(["a"])],
  ])("is found if the field was %s", async (_name, declared, changed) => {
    const database = await freshDatabase()
    const first = await startOn(database, [items((f) => ({ kind: declared(f), other: f.text() }))])
    await first.system.collections["items"]?.create({ kind: "b" })
    if (_name === "removed in between") await startOn(database, [items((f) => ({ other: f.text() }))])

    const second = startOn(database, [items((f) => ({ kind: changed(f), other: f.text() }))])

    await expect(second).rejects.toThrow('They hold "b" (1×).')
  })

  test.each<[string, (f: any) => any, unknown, unknown]>([
    ["one value", (f) => f.select(["a", "b"]), "old", "b"],
    ["one value that is emptied", (f) => f.select(["a", "b"]), "spam", null],
    ["a list", (f) => f.select(["a", "b"]).multiple(), ["b", "spam", "old", "a"], ["b", "a"]],
    ["a required list", (f) => f.select(["a", "b"]).multiple().required(), ["spam"], []],
  ])("is replaced in %s, once", async (_name, declared, before, after) => {
    const database = await freshDatabase()
    const first = await startOn(database, [items((f) => ({ kind: withOld(f, declared) }))])
    const created = await first.system.collections["items"]?.create({ kind: before })
    const replaced = [items((f) => ({ kind: declared(f).replacedOptions({ old: "b", spam: null }) }))]

    const second = await startOn(database, replaced)
    const third = await startOn(database, replaced)

    expect(second.syncReport.changes).toEqual([
      'limit column "items.kind" to "a", "b", and replace "old" by "b", and remove "spam"',
    ])
    expect(third.syncReport.changes).toEqual([])
    expect(await third.system.collections["items"]?.findOne()).toEqual({ ...created, kind: after })
  })

  test.each<[string, (f: any) => any, unknown, unknown]>([
    ["one value", (f) => f.select(["a", "b"]).localized(), { en: "old", sk: "spam" }, { en: "b" }],
    [
      "a list",
      (f) => f.select(["a", "b"]).multiple().localized(),
      { en: ["old", "b", "a"], sk: ["spam"] },
      { en: ["b", "a"], sk: [] },
    ],
  ])("is found and replaced in each locale of %s", async (_name, declared, before, after) => {
    const database = await freshDatabase()
    const first = await startOn(database, [items((f) => ({ kind: withOld(f, declared) }))], LOCALES)
    await first.system.collections["items"]?.create({ kind: null })
    await database.query("update items set kind = $1", [JSON.stringify(before)])

    await expect(startOn(database, [items((f) => ({ kind: declared(f) }))], LOCALES)).rejects.toThrow(
      'They hold "old" (1×), "spam" (1×).',
    )
    const replaced = items((f) => ({ kind: declared(f).replacedOptions({ old: "b", spam: null }) }))
    await startOn(database, [replaced], LOCALES)

    expect(await database.query("select kind from items")).toEqual([{ kind: after }])
  })

  test("is found and replaced in a global", async () => {
    const database = await freshDatabase()
    const site = (declare: (f: any) => any) => global("site").fields(({ f }) => ({ look: declare(f) }))
    const first = await startOn(database, [site((f) => f.select(["dark", "light"]))])
    await first.system.globals["site"]?.update({ look: "dark" })

    await expect(startOn(database, [site((f) => f.select(["light"]))])).rejects.toThrow('They hold "dark" (1×).')
    const second = await startOn(database, [site((f) => f.select(["light"]).replacedOptions({ dark: "light" }))])

    expect(await second.system.globals["site"]?.get()).toMatchObject({ look: "light" })
  })

  test("is replaced in stage copies and in versions; a version keeps an option that is only removed", async () => {
    const database = await freshDatabase()
    const staged = (declare: (f: any) => any) =>
      items((f) => ({ kind: declare(f) })).options({
        versions: true,
        workflow: { stages: { draft: { to: ["published"] }, published: { to: ["draft"] } } },
      })
    const first = await startOn(database, [staged((f) => f.select(["old", "gone", "b"]))])
    const records = first.system.collections["items"]
    const { id = "" } = (await records?.create({ kind: "gone" })) ?? {}
    await records?.updateById({ id: String(id), data: { kind: "old" } })
    await records?.transitionStage({ id: String(id), stage: "published" })
    await records?.updateById({ id: String(id), data: { kind: "b" } })

    await expect(startOn(database, [staged((f) => f.select(["b"]))])).rejects.toThrow(
      'Records of "items.stage.published" have values in "kind"',
    )
    const second = await startOn(database, [staged((f) => f.select(["b"]).replacedOptions({ old: "b" }))])

    expect(await kindsOf(database, '"items.stage.published"')).toEqual(["b"])
    const kinds = await database.query(`select data->>'kind' as kind from "_kit_versions" order by number`)
    expect(kinds.map(({ kind }) => kind)).toEqual(["gone", "b", "b", "b"])
    const reverted = second.system.collections["items"]?.revertToVersion({ id: String(id), version: 1 })
    await expect(reverted).rejects.toMatchObject({ code: "VALIDATION_ERROR" })
  })
})

test.each<[string, (f: any) => any, string]>([
  ["it still has", (f) => f.select(["a"]).replacedOptions({ a: null }), 'replaces the option "a", which it still has'],
  [
    "has no successor",
    (f) => f.select(["alpha"]).replacedOptions({ a: "alfa" }),
    'replaces "a" by "alfa", which is not one of its options. Did you mean "alpha"?',
  ],
  [
    "it empties although it is required",
    (f) => f.select(["a"]).replacedOptions({ b: null }).required(),
    'replaces "b" by null, but is required',
  ],
])("a replaced option that %s stops the start", async (_name, declared, message) => {
  const database = await freshDatabase()

  await expect(startOn(database, [items((f) => ({ kind: declared(f) }))])).rejects.toThrow(message)
})

function items(declare: (f: any) => Record<string, any>): Collection<any> {
  return collection("items").fields(({ f }) => declare(f))
}

/** Declares the field with the further options "old" and "spam". */
function withOld(f: any, declared: (f: any) => any): any {
  return declared({ select: (options: string[]) => f.select([...options, "old", "spam"]) })
}

async function kindsOf(database: TestDatabase, table: string): Promise<unknown[]> {
  return (await database.query(`select kind from ${table}`)).map(({ kind }) => kind)
}
