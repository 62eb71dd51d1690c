// @module-tag full-count

import { deepStrictEqual } from "node:assert"
import fc from "fast-check"
import { Node, Schema } from "prosemirror-model"
import { marks, nodes } from "prosemirror-schema-basic"
import { expect, test } from "vitest"
import {
  prosemirrorJSONToYXmlFragment,
  yXmlFragmentToProseMirrorRootNode,
  yXmlFragmentToProsemirrorJSON,
} from "y-prosemirror"
import * as Y from "yjs"
import { count } from "../../../../../test/support/count.ts"
import { createDocument, editDocument, readDocument } from "../../../src/drivers/yjs/documents.ts"
import { anyRichText, canonicalContent, loaded, RICH_TEXT_ROOT } from "./any-document.ts"

// The nodes and marks of `anyRichText`. A text can have several comments.
const schema = new Schema({
  nodes: {
    ...nodes,
    doc: { content: "block*" },
    blockquote: { ...nodes.blockquote, content: "block*" },
    heading: { ...nodes.heading, attrs: { level: { default: null }, id: { default: null } } },
    paragraph: { ...nodes.paragraph, attrs: { level: { default: null }, id: { default: null } } },
  },
  marks: { ...marks, comment: { attrs: { id: {} }, excludes: "" } },
})

/** Any rich text, as ProseMirror writes it: with the attributes that are null, and without empty lists. */
const anyProseMirrorText = anyRichText.map((value): unknown =>
  JSON.parse(JSON.stringify(Node.fromJSON(schema, value).toJSON())),
)

test("a document made of a rich text is the same for y-prosemirror as its own", () => {
  fc.assert(
    fc.property(anyProseMirrorText, (value) => {
      const own = loaded([createDocument(RICH_TEXT_ROOT, value)]).getXmlFragment("field")
      const theirs = theirFragment(value)

      expect(yXmlFragmentToProseMirrorRootNode(own, schema).toJSON()).toEqual(value)
      deepStrictEqual(shapeOf(own), shapeOf(theirs))
    }),
    { numRuns: count({ short: 60, long: 200 }) },
  )
})

test("a document made by y-prosemirror has the value that y-prosemirror reads from it", () => {
  fc.assert(
    fc.property(anyProseMirrorText, (value) => {
      const theirs = theirFragment(value)
      const update = Y.encodeStateAsUpdate(docOf(theirs))

      const read = readDocument(RICH_TEXT_ROOT, [update])

      expect(canonical(read)).toEqual(canonical(yXmlFragmentToProsemirrorJSON(theirs)))
      expect(canonical(Node.fromJSON(schema, read).toJSON())).toEqual(canonical(value))
      expect(editDocument(RICH_TEXT_ROOT, [update], value)).toBeUndefined()
    }),
    { numRuns: count({ short: 60, long: 200 }) },
  )
})

test("an edit of a document of y-prosemirror gives y-prosemirror the new value", () => {
  fc.assert(
    fc.property(anyProseMirrorText, anyProseMirrorText, (before, after) => {
      const update = Y.encodeStateAsUpdate(docOf(theirFragment(before)))

      const edit = editDocument(RICH_TEXT_ROOT, [update], after)

      const fragment = loaded(edit === undefined ? [update] : [update, edit]).getXmlFragment("field")
      // Yjs does not keep the order of several marks of the same type.
      expect(canonical(yXmlFragmentToProseMirrorRootNode(fragment, schema).toJSON())).toEqual(canonical(after))
    }),
    { numRuns: count({ short: 60, long: 200 }) },
  )
})

test("several marks of the same type get the names that y-prosemirror gives them", () => {
  const comments = [0, 1].map((id) => ({ type: "comment", attrs: { id } }))
  const value = {
    type: "doc",
    content: [{ type: "paragraph", content: [{ type: "text", text: "twice", marks: comments }] }],
  }

  const own = loaded([createDocument(RICH_TEXT_ROOT, value)]).getXmlFragment("field")

  expect(formatsOf(own)).toHaveLength(2)
  expect(formatsOf(own)).toEqual(formatsOf(theirFragment(value)))
  expect(canonical(readDocument(RICH_TEXT_ROOT, [Y.encodeStateAsUpdate(docOf(own))]))).toEqual(canonical(value))
})

function theirFragment(value: unknown): Y.XmlFragment {
  return prosemirrorJSONToYXmlFragment(schema, value, new Y.Doc().getXmlFragment("field"))
}

function docOf(fragment: Y.XmlFragment): Y.Doc {
  if (fragment.doc === null) throw new Error("The fragment belongs to no document.")
  return fragment.doc
}

function canonical(value: unknown): unknown {
  // The cast is safe: this is the form of a rich text.
  return canonicalContent((value as { content?: unknown[] }).content ?? [])
}

/** Returns the elements, attributes and texts of a fragment. A comment has a hashed name only where a text has two. */
function shapeOf(fragment: Y.XmlFragment): unknown[] {
  return fragment.toArray().map((child) => {
    if (child instanceof Y.XmlText) return child.toDelta().map(withoutHashes)
    // The cast is safe: rich text has only elements and texts.
    const element = child as Y.XmlElement
    return { name: element.nodeName, attributes: { ...element.getAttributes() }, children: shapeOf(element) }
  })
}

function withoutHashes({ insert, attributes = {} }: { insert: string; attributes?: object }): unknown {
  const marks = Object.entries(attributes).map(([key, value]) => JSON.stringify([key.split("--")[0], value]))
  return { insert, marks: marks.sort() }
}

function formatsOf(fragment: Y.XmlFragment): string[] {
  // The cast is safe: the rich text is one paragraph with one text.
  const text = (fragment.get(0) as Y.XmlElement).get(0) as Y.XmlText
  return Object.keys(text.toDelta()[0].attributes).sort()
}
