import { expect, test } from "vitest"
import type { Statement } from "../../src/ports/database.ts"
import { collection } from "../../src/schema/builders/collection.ts"
import { compileSchema } from "../../src/schema/compile/compile.ts"
import type { AppSchema, ManyToMany, Resource, ResourceField } from "../../src/schema/compile/resource.ts"
import { appendRelayedRequest, appendTouchedRecords, INSERT_CHANGES } from "../../src/sql/changes/changes.ts"
import { ALWAYS, NEVER } from "../../src/sql/filter/predicate.ts"
import { insertChannelEvent } from "../../src/sql/internal/channel-events.ts"
import { DELETE_DEAD_INSTANCES, saveMembers, writeHeartbeat } from "../../src/sql/internal/channel-members.ts"
import { deleteInternal, insertInternal } from "../../src/sql/internal/internal-rows.ts"
import { countMatching } from "../../src/sql/read/select.ts"
import { copyToStage } from "../../src/sql/stages/stage-rows.ts"
import { deleteLinks, deleteLinksOf, insertLinks, selectRelatedIds } from "../../src/sql/write/links.ts"
import {
  deleteRow,
  insertRow,
  insertRuledRow,
  lockRow,
  restoreRow,
  updateAnyRow,
  updateRow,
  updateRowReturningOld,
  updateRuledRow,
} from "../../src/sql/write/write.ts"
import { deleteCopies, updateCopies, updateEachCopy } from "../../src/sql/write/write-copy.ts"
import { deleteRows, lockMatching, updateEachRow, updateRows } from "../../src/sql/write/write-many.ts"
import { revertCopy, revertRow } from "../../src/sql/write/write-revert.ts"
import { transitionRow } from "../../src/sql/write/write-transition.ts"

const ID = "01890000-0000-7000-8000-00000000000a"

// The links of books are known to topics, those of marks to nobody but the book.
const books = collection("books")
  .fields(({ f }) => ({
    label: f.text(),
    topics: f.relation("topics").manyToMany({ through: "bookTopics" }),
    marks: f.relation("topics").manyToMany(),
  }))
  .options({ versions: true, workflow: true, softDelete: true, revision: true })
const topics = collection("topics").fields(({ f }) => ({
  label: f.text(),
  books: f.relation("books").manyToMany({ through: "bookTopics" }),
}))

const schema = compile()
const book = resourceNamed("books")
const copies = schema.stages.find(({ resource }) => resource.working === book)
const copy = copies?.resource ?? book
const label = fieldNamed("label")
const values = new Map<ResourceField, unknown>([[label, "a"]])

function compile(): AppSchema {
  const sources = [books, topics].map(({ definition }) => ({ file: definition.name, definition }))
  const compiled = compileSchema(sources)
  if ("mistakes" in compiled) throw new Error(JSON.stringify(compiled.mistakes))
  return compiled.schema
}

function resourceNamed(name: string): Resource {
  const resource = schema.collections.get(name)
  if (resource === undefined) throw new Error(`There is no ${name}.`)
  return resource
}

function fieldNamed(name: string): ResourceField {
  const field = book.fields.get(name)
  if (field === undefined) throw new Error(`There is no field ${name}.`)
  return field
}

function linksOf(name: string): ManyToMany {
  const { relation } = fieldNamed(name)
  if (relation?.kind !== "manyToMany") throw new Error(`${name} has no links.`)
  return relation
}

const linked = { id: ID, others: [ID], alreadyAppended: [] }
const owned = {
  name: "_kit_tokens",
  columns: [
    { name: "id", sqlType: "text" },
    { name: "user", sqlType: "uuid", owner: "users" },
  ],
}
const loose = { name: "_kit_loose", columns: [{ name: "id", sqlType: "text" }] }

const APPENDING: Readonly<Record<string, Statement>> = {
  insertRow: insertRow(book, values, []),
  insertRuledRow: insertRuledRow(book, values, [NEVER]),
  updateRow: updateRow(book, { id: ID, values }, []),
  updateRuledRow: updateRuledRow(book, { id: ID, values }, [NEVER]),
  updateRowReturningOld: updateRowReturningOld(book, { id: ID, values }, []),
  updateAnyRow: updateAnyRow(book, { id: ID, values }),
  restoreRow: restoreRow(book, { id: ID, values }, []),
  deleteRow: deleteRow(book, ID, []),
  updateRows: updateRows(book, { ids: [ID], values }, []),
  updateEachRow: updateEachRow(book, { fields: [label], changes: [{ id: ID, values }] }, []),
  deleteRows: deleteRows(book, [ID]),
  revertRow: revertRow(book, { id: ID, versionId: ID, copied: [label], values: new Map() }, []),
  revertCopy: revertCopy(copy, { id: ID, versionId: ID, copied: [label], values: new Map(), user: null }, []),
  updateCopies: updateCopies(copy, { ids: [ID], values, user: null }, []),
  updateEachCopy: updateEachCopy(copy, { fields: [label], changes: [{ id: ID, values }], user: null }, []),
  deleteCopies: deleteCopies(copy, { ids: [ID], user: null, at: new Date() }),
  transitionRow: transitionRow(book, { id: ID, stage: "published", user: null, at: new Date() }),
  insertLinks: insertLinks(linksOf("topics"), linked),
  deleteLinks: deleteLinks(linksOf("topics"), linked),
  ...Object.fromEntries(
    schema.links
      .filter(({ name }) => name === linksOf("topics").link.table)
      .flatMap((table) => table.columns.map(({ name }) => [`deleteLinksOf ${name}`, deleteLinksOf(table, name, ID)])),
  ),
  appendTouchedRecords: appendTouchedRecords(book, [ID]),
  appendRelayedRequest: appendRelayedRequest({ holder: "a", id: "b", body: {} }),
  insertChannelEvent: insertChannelEvent({ room: "a", event: "b", data: "{}", extended: undefined }),
  saveMembers: saveMembers({ instance: "a", joined: [], left: ["b"], maxConnections: 1 }),
  DELETE_DEAD_INSTANCES,
  "deleteInternal of rows with an owner": deleteInternal(owned, []),
}

const OTHERS: Readonly<Record<string, Statement>> = {
  "insertLinks that the other end does not know": insertLinks(linksOf("marks"), linked),
  "deleteLinks that the other end does not know": deleteLinks(linksOf("marks"), linked),
  selectRelatedIds: selectRelatedIds(linksOf("topics"), ID),
  lockRow: lockRow(book, ID, [ALWAYS]),
  lockMatching: lockMatching(book, ALWAYS, 5),
  countMatching: countMatching(book, ALWAYS),
  ...Object.fromEntries(copies ? copyToStage(book, copies, [ID]).map((copy, at) => [`copyToStage ${at}`, copy]) : []),
  writeHeartbeat: writeHeartbeat("a"),
  insertInternal: insertInternal(loose, { id: "a" }),
  "deleteInternal of rows without an owner": deleteInternal(loose, []),
}

test.each(Object.entries(APPENDING))("%s says that it appends changes", (_name, { text, appendsChanges }) => {
  expect(text).toContain(INSERT_CHANGES)
  expect(appendsChanges).toBe(true)
})

test.each(Object.entries(OTHERS))("%s appends no changes", (_name, { text, appendsChanges = false }) => {
  expect(text).not.toContain(INSERT_CHANGES)
  expect(appendsChanges).toBe(false)
})
