// @module-tag full-count

import fc from "fast-check"
import { describe, expect, test } from "vitest"
import * as Y from "yjs"
import { count } from "../../../../../test/support/count.ts"
import { checkUpdate } from "../../../src/drivers/yjs/checks/check-update.ts"
import { compact, createDocument, differenceFrom, readDocument } from "../../../src/drivers/yjs/documents.ts"
import type { DocumentRoot } from "../../../src/ports/document-codec.ts"
import { anyDocument, JSON_ROOT, RICH_TEXT_ROOT, ROOTS, TEXT_ROOT } from "./any-document.ts"

const refusalOf = (root: DocumentRoot, update: Uint8Array) => checkUpdate(root, update).refusal

describe("an update is accepted", () => {
  test("if an editor has made it", () => {
    fc.assert(
      fc.property(anyDocument(), ({ root, updates }) => {
        for (const update of updates) expect(refusalOf(root, update)).toBeUndefined()
        expect(refusalOf(root, Y.mergeUpdates(updates))).toBeUndefined()
        expect(refusalOf(root, compact(updates))).toBeUndefined()
      }),
    )
  })

  test("if it is empty", () => {
    expect(refusalOf(TEXT_ROOT, Y.encodeStateAsUpdate(new Y.Doc()))).toBeUndefined()
  })

  test("if it has a gap", () => {
    const [first, second, third] = typed("a", "b", "c")

    expect(refusalOf(TEXT_ROOT, Y.mergeUpdates([first, third]))).toBeUndefined()
    expect(refusalOf(TEXT_ROOT, second)).toBeUndefined()
  })
})

describe("an update is refused", () => {
  test("if it has no bytes, too few or too many", () => {
    const update = createDocument(TEXT_ROOT, "Some words")

    expect(refusalOf(TEXT_ROOT, new Uint8Array())).toBe("The update ends too early.")
    expect(refusalOf(TEXT_ROOT, update.subarray(0, -1))).toBe("The update ends too early.")
    expect(refusalOf(TEXT_ROOT, Uint8Array.from([...update, 0]))).toBe("The update has more bytes than it should.")
  })

  test("if it changes another root", () => {
    const update = createDocument({ ...TEXT_ROOT, name: "secret" }, "Some words")

    expect(refusalOf(TEXT_ROOT, update)).toBe("The update changes something other than this field.")
  })

  test.each<[string, DocumentRoot, (doc: Y.Doc) => void]>([
    ["a subdocument", JSON_ROOT, (doc) => doc.getMap("field").set("a", new Y.Doc())],
    ["bytes", JSON_ROOT, (doc) => doc.getMap("field").set("a", new Uint8Array([1]))],
    ["a bigint", JSON_ROOT, (doc) => doc.getMap("field").set("a", 12n)],
    ["bytes in a plain value", JSON_ROOT, (doc) => doc.getMap("field").set("a", [new Uint8Array([1])])],
    ["an element in a map", JSON_ROOT, (doc) => doc.getMap("field").set("a", new Y.XmlElement("p"))],
    ["a list as the root of an object", JSON_ROOT, (doc) => doc.getArray("field").push([1])],
    ["a text as the root of rich text", RICH_TEXT_ROOT, (doc) => doc.getText("field").insert(0, "a")],
    ["a map as the root of rich text", RICH_TEXT_ROOT, (doc) => doc.getMap("field").set("a", 1)],
    ["a hook", RICH_TEXT_ROOT, (doc) => doc.getXmlFragment("field").insert(0, [new Y.XmlHook("a") as never])],
    ["an embedded object", TEXT_ROOT, (doc) => doc.getText("field").insertEmbed(0, { a: 1 })],
    ["a type in a text", TEXT_ROOT, (doc) => doc.getText("field").insertEmbed(0, new Y.Map())],
    ["a member of a text", TEXT_ROOT, (doc) => doc.getText("field").setAttribute("a", "b")],
    ["an element as an attribute", RICH_TEXT_ROOT, elementAsAttribute],
    ["a deep plain value", JSON_ROOT, (doc) => doc.getMap("field").set("a", nestedList(40))],
    ["a deep format", TEXT_ROOT, (doc) => doc.getText("field").insert(0, "a", { bold: nestedList(40) })],
    ["deep elements", RICH_TEXT_ROOT, (doc) => doc.getXmlFragment("field").insert(0, [nestedElement(100)])],
  ])("if it contains %s", (_name, root, change) => {
    const doc = new Y.Doc()
    change(doc)

    expect(refusalOf(root, Y.encodeStateAsUpdate(doc))).toMatch(/^The update (contains|nests) .*\.$/)
  })

  test.each<[string, readonly number[]]>([
    ["very many sessions", [...HUGE, 0]],
    ["very many parts", [1, ...HUGE, 1, 0]],
    ["a very long deleted part", [1, 1, 1, 0, 1, 1, 1, 97, ...HUGE, 0]],
    ["a very long collected part", [1, 1, 1, 0, 0, ...HUGE, 0]],
    ["a very high clock", [1, 1, 1, ...HUGE, 0, 1, 0]],
    ["a number without an end", Array.from({ length: 4000 }, () => 0x80)],
    ["an empty part", [1, 1, 1, 0, 0, 0, 0]],
    ["a very long text", [1, 1, 1, 0, 4, 1, 1, 97, ...HUGE, 97, 0]],
    ["a text that is not UTF-8", [1, 1, 1, 0, 4, 1, 1, 97, 1, 0xff, 0]],
    ["very many plain values", [1, 1, 1, 0, 8, 1, 1, 97, ...HUGE, 126, 0]],
    ["very many members", [1, 1, 1, 0, 8, 1, 1, 97, 1, 118, ...HUGE, 0]],
    ["a very long list", [1, 1, 1, 0, 8, 1, 1, 97, 1, 117, ...HUGE, 0]],
    [
      "very deep lists",
      [1, 1, 1, 0, 8, 1, 1, 97, 1, ...Array.from({ length: 100_000 }, () => [117, 1]).flat(), 126, 0],
    ],
    ["an unknown kind of content", [1, 1, 1, 0, 11, 1, 1, 97, 0]],
    ["an unknown kind of plain value", [1, 1, 1, 0, 8, 1, 1, 97, 1, 3, 0]],
    ["an unknown type", [1, 1, 1, 0, 7, 1, 1, 97, 9, 0]],
    ["a reference to itself", [1, 1, 1, 0, 0x84, 1, 0, 1, 97, 0]],
    ["sessions that are not sorted", [2, 1, 1, 0, 0, 1, 1, 2, 0, 0, 1, 0]],
    ["a session twice", [2, 1, 1, 0, 0, 1, 1, 1, 0, 0, 1, 0]],
    ["very many sessions with deletions", [0, ...HUGE]],
    ["very many deletions", [0, 1, 1, ...HUGE]],
    ["a very long deletion", [0, 1, 1, 1, 0, ...HUGE]],
    ["an empty deletion", [0, 1, 1, 1, 0, 0]],
  ])("if it says that it has %s", (_name, bytes) => {
    expect(refusalOf({ name: "a", shape: "text" }, Uint8Array.from(bytes))).toMatch(/^The .*\.$/)
  })
})

describe("whatever passes the check", () => {
  test("can be read, compacted and compared: any bytes", () => {
    fc.assert(
      fc.property(fc.constantFrom(...ROOTS), fc.uint8Array({ maxLength: 60 }), (root, bytes) => {
        expectHarmless(root, [bytes])
      }),
      { numRuns: count({ short: 250, long: 1_000 }) },
    )
  })

  test("can be read, compacted and compared: changed bytes of valid updates", () => {
    const change = fc.record({ place: fc.nat(), byte: fc.nat(255), removed: fc.nat(3) })
    fc.assert(
      fc.property(anyDocument(), fc.array(change, { minLength: 1, maxLength: 4 }), ({ root, updates }, changes) => {
        const changed = updates.map((update) => {
          const bytes = [...update]
          for (const { place, byte, removed } of changes) bytes.splice(place % bytes.length, removed, byte)
          return Uint8Array.from(bytes)
        })
        expectHarmless(root, changed, updates)
      }),
      { numRuns: count({ short: 60, long: 200 }) },
    )
  })
})

const HUGE = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f]

function expectHarmless(root: DocumentRoot, updates: readonly Uint8Array[], others: readonly Uint8Array[] = []): void {
  const accepted = updates.filter((update) => refusalOf(root, update) === undefined)
  const all = [...others, ...accepted]
  readDocument(root, all)
  readDocument(root, accepted)
  const compacted = compact(all)
  readDocument(root, [compacted])
  const { update, stateVector } = differenceFrom(all, undefined)
  readDocument(root, [update])
  differenceFrom([compacted], stateVector)
}

function typed(...texts: readonly [string, string, string]): [Uint8Array, Uint8Array, Uint8Array] {
  const doc = new Y.Doc()
  const updates: Uint8Array[] = []
  doc.on("update", (update: Uint8Array) => updates.push(update))
  for (const text of texts) doc.getText("field").insert(doc.getText("field").length, text)
  const [first = new Uint8Array(), second = new Uint8Array(), third = new Uint8Array()] = updates
  return [first, second, third]
}

function nestedList(depth: number): unknown {
  return depth === 0 ? [] : [nestedList(depth - 1)]
}

function nestedElement(depth: number): Y.XmlElement {
  const element = new Y.XmlElement("quote")
  if (depth > 0) element.insert(0, [nestedElement(depth - 1)])
  return element
}

function elementAsAttribute(doc: Y.Doc): void {
  const element = new Y.XmlElement("p")
  doc.getXmlFragment("field").insert(0, [element])
  element.setAttribute("a", new Y.XmlElement("b") as never)
}

describe("the names in an update to a rich text", () => {
  test("are those of its nodes and marks, and whether something may be removed", () => {
    const doc = new Y.Doc()
    const updates: Uint8Array[] = []
    doc.on("update", (update: Uint8Array) => updates.push(update))
    const text = new Y.XmlText()
    const paragraph = new Y.XmlElement("paragraph")
    doc.getXmlFragment("field").insert(0, [paragraph])
    paragraph.insert(0, [text])
    text.insert(0, "abc", { strong: {}, "comment--AbCdEf12": { id: 1 } })
    text.insert(1, "d")
    text.format(1, 1, { strong: null })
    text.delete(0, 1)

    const checked = updates.map((update) => checkUpdate(RICH_TEXT_ROOT, update))

    expect(checked).toEqual([
      { added: ["node paragraph"], removes: false },
      { added: [], removes: false },
      // The format ends behind the text.
      { added: ["mark strong", "mark comment"], removes: true },
      { added: [], removes: false },
      { added: ["mark strong"], removes: true },
      { added: [], removes: true },
    ])
  })
})
