import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { Worker } from "node:worker_threads"
import { describe, expect, test } from "vitest"
import { createDocument } from "../../../src/drivers/yjs/documents.ts"
import { createYjsCodec } from "../../../src/drivers/yjs/yjs-codec.ts"
import { RICH_TEXT_ROOT, TEXT_ROOT } from "./any-document.ts"

const DIST = new URL("../../../dist/", import.meta.url)
const SLOW_UPDATE = slowUpdate()
const VALID = { added: [], removes: false }

describe.concurrent("the codec's threads", () => {
  test("refuse an update that takes too long, and check the next one in another thread", async () => {
    const codec = createYjsCodec({ checkLimitMs: 3000 })
    const update = createDocument(TEXT_ROOT, "Some words")

    const answers = await Promise.all([
      codec.check(TEXT_ROOT, update),
      codec.check(TEXT_ROOT, SLOW_UPDATE),
      codec.check(TEXT_ROOT, update),
      codec.read(TEXT_ROOT, [update]),
    ])
    await codec.close()

    const refusal = "The update takes too much time to decode."
    expect(answers).toEqual([VALID, { refusal }, VALID, "Some words"])
  })

  test("end a call that takes too long, and run the calls that wait for it in another thread", async () => {
    const codec = createYjsCodec({ callLimitMs: 1000 })
    const update = createDocument(TEXT_ROOT, "Some words")

    const slow = codec.read(TEXT_ROOT, [SLOW_UPDATE])
    const others = Promise.all([codec.read(TEXT_ROOT, [update]), codec.check(TEXT_ROOT, update)])

    await expect(slow).rejects.toThrow("The document takes too much time to read or change.")
    await expect(slow).rejects.toMatchObject({ isTemporary: true })
    expect(await others).toEqual(["Some words", VALID])
    await codec.close()
  })

  test("run the next call before one that takes long has ended", async () => {
    const codec = createYjsCodec({ quickLimitMs: 200 })
    const update = createDocument(TEXT_ROOT, "Some words")
    let hasEnded = false

    const slow = codec.read(TEXT_ROOT, [SLOW_UPDATE]).catch(() => undefined)
    void slow.then(() => {
      hasEnded = true
    })

    expect(await codec.read(TEXT_ROOT, [update])).toBe("Some words")
    expect(hasEnded).toBe(false)
    await codec.close()
  })

  test("end a call that takes too much memory, and run the calls that wait for it in another thread", async () => {
    const codec = createYjsCodec({ memoryLimitMb: 24 })
    const update = createDocument(TEXT_ROOT, "Some words")

    const large = codec.compact([largeUpdate()])
    const other = codec.read(TEXT_ROOT, [update])

    await expect(large).rejects.toThrow("The document takes too much memory to read or change.")
    expect(await other).toBe("Some words")
    await codec.close()
  })

  test("say why a call failed, and go on", async () => {
    const codec = createYjsCodec()

    await expect(codec.read(TEXT_ROOT, [Uint8Array.of(1)])).rejects.toThrow("The document cannot be read or changed")
    await expect(codec.create(TEXT_ROOT, () => "no value")).rejects.toThrow("cannot be sent to the thread")
    await expect(codec.create(TEXT_ROOT, 12)).rejects.toThrow("Expected a text.")
    expect(await codec.create(TEXT_ROOT, "A value")).toBeInstanceOf(Uint8Array)
    await codec.close()
  })

  test("leave the caller's bytes alone", async () => {
    const codec = createYjsCodec()
    const bytes = Buffer.concat([Buffer.from("before"), createDocument(TEXT_ROOT, "Some words"), Buffer.from("after")])
    const update = bytes.subarray("before".length, -"after".length)

    expect(await codec.read(TEXT_ROOT, [update, update])).toBe("Some words")
    expect(await codec.differenceFrom([update], Uint8Array.of(0))).toMatchObject({ update: new Uint8Array(update) })
    expect(bytes.subarray(0, 6).toString()).toBe("before")
    await codec.close()
  })

  test("fail the calls that wait when the codec is closed, and start again for a later one", async () => {
    const codec = createYjsCodec()
    const waiting = codec.create(TEXT_ROOT, "One")
    const closed = expect(waiting).rejects.toMatchObject({ isTemporary: true })

    await codec.close()
    await closed

    expect(await codec.create(TEXT_ROOT, "Two")).toBeInstanceOf(Uint8Array)
    await codec.close()
    await codec.close()
  })
})

describe("the built package", () => {
  test("runs the codec's threads from their file, and they do not keep the process alive", async () => {
    const program = `
      import { createYjsCodec } from ${JSON.stringify(new URL("drivers/yjs/yjs-codec.js", DIST).href)}
      const codec = createYjsCodec()
      const root = { name: "field", shape: "text" }
      const update = await codec.create(root, "Some words")
      console.log((await codec.check(root, update)).refusal, await codec.read(root, [update]))`

    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program])

    expect(stdout.trim()).toBe("undefined Some words")
  })

  test("has the threads' program next to its other files", async () => {
    const worker = new Worker(new URL("bundle/yjs-thread.js", DIST), { execArgv: [] })
    const messages: unknown[] = []
    const value = { type: "doc", content: [{ type: "paragraph" }] }

    await new Promise<void>((resolve, reject) => {
      worker.on("error", reject)
      worker.on("message", (message) => {
        messages.push(message)
        if (messages.length === 2) resolve()
      })
      worker.postMessage({ kind: "read", root: RICH_TEXT_ROOT, updates: [createDocument(RICH_TEXT_ROOT, value)] })
    })
    await worker.terminate()

    expect(messages).toEqual([{ kind: "ready" }, { kind: "result", result: value }])
  })
})

// Yjs copies its list of parts for each deletion that cuts one, so a long text with every second character deleted takes
// far longer than any limit here.
function slowUpdate(): Uint8Array {
  const length = 1_600_000
  const deletions = Array.from({ length: length / 2 }, (_, place) => [...number(2 * place), 1]).flat()
  const text = [4, 1, 5, ...Buffer.from("field"), ...number(length)]
  return Buffer.concat([
    Uint8Array.from([1, 1, 1, 0, ...text]),
    Buffer.alloc(length, "a"),
    Uint8Array.from([1, 1, ...number(length / 2), ...deletions]),
  ])
}

// Two bytes are a part of a document, which needs much more memory than that.
function largeUpdate(): Uint8Array {
  const count = 2_000_000
  const parts = Buffer.alloc(2 * count, Uint8Array.of(0, 1))
  return Buffer.concat([Uint8Array.from([1, ...number(count), 1, 0]), parts, Uint8Array.of(0)])
}

// Seven bits in each byte, the lowest first.
function number(value: number): number[] {
  return value < 0x80 ? [value] : [(value % 0x80) + 0x80, ...number(Math.floor(value / 0x80))]
}
