import { describe, expect, test } from "vitest"
import { FormStore } from "../src/form/form-store.ts"

const stored = (values: Record<string, unknown> = {}) => ({ title: "Lake", size: { width: 1, height: 2 }, ...values })

describe("A form store", () => {
  test("shows newer values in fields that are not edited", () => {
    const store = new FormStore(stored())

    store.follow(stored({ title: "Sea" }))

    expect(store.read(["title"])).toBe("Sea")
    expect(store.editCount()).toBe(0)
  })

  test("keeps an edit when a newer value arrives, and says that it is overtaken", () => {
    const store = new FormStore(stored())
    store.write(["title"], "My lake")

    store.follow(stored({ title: "Sea" }))

    expect(store.read(["title"])).toBe("My lake")
    expect(store.overtakenFields()).toEqual(["title"])
  })

  test("has no edit any more when the value is back to where the edit started", () => {
    const store = new FormStore(stored())
    store.write(["title"], "My lake")

    store.write(["title"], "Lake")

    expect(store.edits()).toEqual({})
  })

  test("shows the newest value when an overtaken edit is taken back", () => {
    const store = new FormStore(stored())
    store.write(["title"], "My lake")
    store.follow(stored({ title: "Sea" }))

    store.write(["title"], "Lake")

    expect(store.read(["title"])).toBe("Sea")
    expect(store.isOvertaken("title")).toBe(false)
  })

  test("has no edit any more when somebody else has stored the same value", () => {
    const store = new FormStore(stored())
    store.hold("title")
    store.write(["title"], "Sea")

    store.follow(stored({ title: "Sea" }))

    expect(store.editCount()).toBe(0)
    expect(store.read(["title"])).toBe("Sea")
  })

  test("edits a part of a value by its path, and leaves what it started from as it is", () => {
    const values = stored()
    const store = new FormStore(values)

    store.write(["size", "width"], 9)

    expect(store.edits()).toEqual({ size: { width: 9, height: 2 } })
    expect(values.size).toEqual({ width: 1, height: 2 })
  })

  test("shows the newest value after an edit is discarded", () => {
    const store = new FormStore(stored())
    store.write(["title"], "My lake")
    store.follow(stored({ title: "Sea" }))

    store.discard("title")

    expect(store.read(["title"])).toBe("Sea")
    expect(store.overtakenFields()).toEqual([])
  })

  test("is not overtaken any more after the person has kept the edit", () => {
    const store = new FormStore(stored())
    store.write(["title"], "My lake")
    store.follow(stored({ title: "Sea" }))

    store.keepMine("title")

    expect(store.overtakenFields()).toEqual([])
    expect(store.edits()).toEqual({ title: "My lake" })
  })

  test("keeps what a focused field shows until the focus leaves it", () => {
    const store = new FormStore(stored())
    store.hold("title")

    store.follow(stored({ title: "Sea" }))

    expect(store.read(["title"])).toBe("Lake")
    expect(store.isOvertaken("title")).toBe(true)
    store.release("title")
    expect(store.read(["title"])).toBe("Sea")
  })

  test("says that an edit is overtaken if it started from what a focused field still showed", () => {
    const store = new FormStore(stored())
    store.hold("title")
    store.follow(stored({ title: "Sea" }))

    store.write(["title"], "My lake")

    expect(store.overtakenFields()).toEqual(["title"])
  })
})

describe("After a save, a form store", () => {
  test("shows what is stored", () => {
    const store = new FormStore(stored())
    store.write(["title"], " Sea ")

    store.saved({ title: " Sea " }, stored({ title: "Sea" }))

    expect(store.read(["title"])).toBe("Sea")
    expect(store.editCount()).toBe(0)
  })

  test("does not write into the field in which the person is", () => {
    const store = new FormStore(stored())
    store.hold("title")
    store.write(["title"], "Sea ")

    store.saved({ title: "Sea " }, stored({ title: "Sea" }))

    expect(store.read(["title"])).toBe("Sea ")
    store.write(["title"], "Sea of")
    expect(store.overtakenFields()).toEqual([])
    expect(store.edits()).toEqual({ title: "Sea of" })
  })

  test("keeps what was typed since it was sent, as an edit of the stored value", () => {
    const store = new FormStore(stored())
    store.write(["title"], "Sea")
    const sent = store.edits()
    store.write(["title"], "Sea of ice")

    store.saved(sent, stored({ title: "Sea" }))

    expect(store.edits()).toEqual({ title: "Sea of ice" })
    expect(store.overtakenFields()).toEqual([])
  })
})

test("A value that was taken back while it was being saved is an edit of the stored one", () => {
  const store = new FormStore(stored())
  store.write(["title"], "Sea")
  store.write(["title"], "Lake")

  store.saved({ title: "Sea" }, stored({ title: "Sea" }))

  expect(store.edits()).toEqual({ title: "Lake" })
})

describe("A text that is no value yet", () => {
  test("counts as a change, but is not sent", () => {
    const store = new FormStore(stored())

    store.writeUnparsed(["size", "width"], { text: "12e", problem: "Not a number." })

    expect(store.editCount()).toBe(1)
    expect(store.edits()).toEqual({})
  })

  test("is gone when its path, or a value around it, is written", () => {
    const store = new FormStore(stored())
    store.writeUnparsed(["size", "width"], { text: "12e", problem: "Not a number." })

    store.write(["size"], null)

    expect(store.unparsed().size).toBe(0)
  })
})

test("Only the listeners of a field, and those of any field, hear of its change", () => {
  const store = new FormStore(stored())
  const heard: string[] = []
  store.subscribe("title", () => heard.push("title"))
  store.subscribe("size", () => heard.push("size"))
  store.subscribe(null, () => heard.push("any"))

  store.write(["title"], "Sea")
  store.follow(stored({ title: "Ice", size: { width: 1, height: 2 } }))

  expect(heard).toEqual(["title", "any", "title", "any"])
})
