import { KitClientError } from "kit/client"
import { describe, expect, test } from "vitest"
import { FormStore } from "../src/form/form-store.ts"
import { saveForm } from "../src/screens/record/saving/save-form.ts"

const stale = () =>
  new KitClientError("The record has changed.", {
    status: 409,
    statusText: "Conflict",
    url: "/api/articles/1",
    code: "CONFLICT",
    context: { revision: { expected: 1, actual: 2 } },
  })

/** A record that other people change before each of the first writes. */
function recordWith(changes: Record<string, unknown>[]) {
  let stored: { id: string; revision: number; [field: string]: unknown } = {
    id: "1",
    revision: 1,
    title: "Lake",
    text: "Old",
  }
  const sent: { data: Record<string, unknown>; revision: number | undefined }[] = []
  const store = new FormStore(stored)
  const operations = {
    write(data: Record<string, unknown>, { expectedRevision }: { expectedRevision?: number } = {}) {
      const change = changes.shift()
      if (change) stored = { ...stored, ...change, revision: stored.revision + 1 }
      sent.push({ data, revision: expectedRevision })
      if (expectedRevision !== stored.revision) return Promise.reject(stale())
      stored = { ...stored, ...data, revision: stored.revision + 1 }
      return Promise.resolve(stored)
    },
    reread: () => Promise.resolve(stored),
  }
  return { store, operations, sent, stored: () => stored }
}

describe("A save", () => {
  test("sends the edited fields with the revision that the person has seen", async () => {
    const { store, operations, sent } = recordWith([])
    store.write(["title"], "Sea")

    const outcome = await saveForm({ store, operations, isNew: false })

    expect(outcome.kind).toBe("saved")
    expect(sent).toEqual([{ data: { title: "Sea" }, revision: 1 }])
    expect(store.editCount()).toBe(0)
  })

  test("is sent again if others have changed other fields", async () => {
    const { store, operations, stored } = recordWith([{ text: "New" }, { text: "Newer" }])
    store.write(["title"], "Sea")

    const outcome = await saveForm({ store, operations, isNew: false })

    expect(outcome.kind).toBe("saved")
    expect(stored()).toMatchObject({ title: "Sea", text: "Newer" })
  })

  test("stops if others have changed the same field, and keeps what was typed", async () => {
    const { store, operations, stored } = recordWith([{ title: "Ice" }])
    store.write(["title"], "Sea")

    const outcome = await saveForm({ store, operations, isNew: false })

    expect(outcome.kind).toBe("overtaken")
    expect(stored()["title"]).toBe("Ice")
    expect(store.edits()).toEqual({ title: "Sea" })
  })

  test("puts the text of the person in the place of the other one if the person keeps it", async () => {
    const { store, operations, stored } = recordWith([{ title: "Ice" }])
    store.write(["title"], "Sea")
    await saveForm({ store, operations, isNew: false })

    store.keepMine("title")
    const outcome = await saveForm({ store, operations, isNew: false })

    expect(outcome.kind).toBe("saved")
    expect(stored()["title"]).toBe("Sea")
  })

  test("is given up after five attempts, and keeps what was typed", async () => {
    const { store, operations, sent } = recordWith(["a", "b", "c", "d", "e", "f"].map((text) => ({ text })))
    store.write(["title"], "Sea")

    const outcome = await saveForm({ store, operations, isNew: false })

    expect(outcome.kind).toBe("failed")
    expect(sent).toHaveLength(5)
    expect(store.edits()).toEqual({ title: "Sea" })
  })

  test("keeps what was typed when there is no connection", async () => {
    const { store, operations } = recordWith([])
    store.write(["title"], "Sea")
    const write = () => Promise.reject(new KitClientError("No answer.", { status: 0, statusText: "", url: "/" }))

    const outcome = await saveForm({ store, operations: { ...operations, write }, isNew: false })

    expect(outcome.kind).toBe("failed")
    expect(store.edits()).toEqual({ title: "Sea" })
  })
})
