import * as encoding from "lib0/encoding"
import { expect, onTestFinished, test } from "vitest"
import * as Y from "yjs"
import { documentServer } from "./document-server.ts"
import { openDocument } from "./opened-document.ts"
import { until, untilSaved } from "./until.ts"

function watchUncaught(): unknown[] {
  const uncaught: unknown[] = []
  const onError = (error: unknown) => void uncaught.push(error)
  process.on("uncaughtException", onError)
  process.on("unhandledRejection", onError)
  onTestFinished(() => {
    process.off("uncaughtException", onError)
    process.off("unhandledRejection", onError)
  })
  return uncaught
}

/** Returns an update with one text of the client 7 at the clock 0, whose place and content the function writes. */
function forged(write: (encoder: encoding.Encoder) => void): Uint8Array {
  const encoder = encoding.createEncoder()
  for (const byte of [1, 1, 7, 0, 4]) encoding.writeUint8(encoder, byte)
  write(encoder)
  encoding.writeUint8(encoder, 0)
  return encoding.toUint8Array(encoder)
}

function sendEdit({ streams }: Awaited<ReturnType<typeof documentServer>>, update: Uint8Array): void {
  for (const stream of streams) stream.sendToAll("edit", { update: Buffer.from(update).toString("base64") })
}

test("an edit that Yjs cannot apply denies the document and is never thrown; what was typed can be read", async () => {
  await using server = await documentServer()
  using opened = openDocument(server)
  const { document, text } = opened
  const uncaught = watchUncaught()
  await document.whenSynced()
  text.insert(0, "typed")
  await untilSaved(document)
  const character = text._start?.id ?? { client: 0, clock: 0 }

  sendEdit(
    server,
    forged((encoder) => {
      encoding.writeVarUint(encoder, 0)
      encoding.writeVarUint(encoder, character.client)
      encoding.writeVarUint(encoder, character.clock)
      encoding.writeVarString(encoder, "a")
    }),
  )
  sendEdit(
    server,
    forged((encoder) => {
      encoding.writeVarUint(encoder, 1)
      encoding.writeVarString(encoder, "body")
      encoding.writeVarString(encoder, "abc")
    }),
  )
  await until(document, () => document.status === "denied")

  expect(document.error?.message).toContain("Call discard() and open the document again.")
  expect(text.toString()).toBe("typed")
  expect(uncaught).toEqual([])
})

test("events that cannot be read are never thrown", async () => {
  await using server = await documentServer()
  using opened = openDocument(server)
  const { document } = opened
  const uncaught = watchUncaught()
  await document.whenSynced()

  for (const stream of server.streams) stream.sendToAll("edit", { update: "this is not base64 §" })
  await until(document, () => document.status === "denied")

  expect(document.error).toBeInstanceOf(Error)
  expect(uncaught).toEqual([])
})

test("an observer that throws an error is told as the document's error where nothing else reports it", async () => {
  await using server = await documentServer()
  using opened = openDocument(server)
  const { document, text } = opened
  const uncaught = watchUncaught()
  await document.whenSynced()
  text.observe(() => {
    throw new Error("observer")
  })

  server.doc.getText("body").insert(0, "a")
  await until(document, () => document.error !== null)

  expect(document).toMatchObject({
    status: "synced",
    error: { message: "An observer of the document has thrown an error." },
  })
  expect(text.toString()).toBe("a")
  expect(uncaught).toEqual([])
})

test("a gap that the server finds is filled with what was made here", async () => {
  await using server = await documentServer()
  using opened = openDocument(server)
  const { document, text } = opened
  await document.whenSynced()
  text.insert(0, "acknowledged")
  await untilSaved(document)
  server.answers.push({ status: 409, context: { stateVector: "AA==" } })

  text.insert(12, "!")
  await untilSaved(document)

  const [, , filled] = server.edits
  expect(document.status).toBe("synced")
  expect(textOf(filled?.update)).toBe("acknowledged!")
})

function textOf(update: Uint8Array | undefined): string {
  const doc = new Y.Doc()
  if (update) Y.applyUpdate(doc, update)
  return doc.getText("body").toString()
}

test("edits that rely on something the server never gets wait, and are tried again", async () => {
  await using server = await documentServer()
  using opened = openDocument(server)
  const { document, text } = opened
  await document.whenSynced()
  const lacking = { status: 409, context: { stateVector: "AA==" } }
  server.answers.push(lacking, lacking)

  text.insert(0, "a")
  await until(document, () => document.status === "offline")
  await untilSaved(document)

  expect(document).toMatchObject({ status: "synced", error: null })
  expect(server.text()).toBe("a")
})

test("another user in the same document edits under other numbers", async () => {
  await using server = await documentServer()
  using opened = openDocument(server)
  const { document, text } = opened
  await document.whenSynced()
  document.awareness.setLocalStateField("cursor", 1)
  text.insert(0, "a")
  await untilSaved(document)
  const former = document.doc.clientID

  server.served.userId = "u2"
  server.cut()
  await until(document, () => document.doc.clientID !== former)
  await document.whenSynced()
  text.insert(1, "b")
  await untilSaved(document)

  expect(document.awareness.clientID).toBe(document.doc.clientID)
  expect(document.awareness.getLocalState()).toEqual({ cursor: 1 })
  expect(server.text()).toBe("ab")
})
