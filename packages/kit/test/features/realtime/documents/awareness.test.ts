import fc from "fast-check"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { Awareness, applyAwarenessUpdate, encodeAwarenessUpdate } from "y-protocols/awareness"
import { Doc, encodeStateVector } from "yjs"
import { AwarenessStates } from "../../../../src/features/realtime/documents/awareness/awareness-states.ts"
import {
  decodeAwareness,
  encodeAwareness,
} from "../../../../src/features/realtime/documents/awareness/awareness-update.ts"
import {
  MessageAssembler,
  splitMessage,
} from "../../../../src/features/realtime/documents/awareness/chunked-messages.ts"
import { ByteReader, isStateVector, numberBytes } from "../../../../src/features/realtime/documents/byte-reader.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const entry = (clientId: number, clock: number, state: string) => ({ clientId, clock, state })
const OWNER = { stream: "s1", userId: "eva" }

describe("numbers", () => {
  test("are read as they were written, up to the largest exact one", () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (number) => {
        const reader = new ByteReader(Buffer.from(numberBytes(number)))
        expect(reader.readNumber()).toBe(number)
        expect(reader.isAtEnd).toBe(true)
      }),
    )
  })

  test.each([
    { what: "no end", bytes: [0x80] },
    { what: "too many bits", bytes: [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f] },
    { what: "endless zeros", bytes: [...Array(20).fill(0x80), 0] },
  ])("with $what are none", ({ bytes }) => {
    expect(new ByteReader(Buffer.from(bytes)).readNumber()).toBeUndefined()
  })
})

describe("awareness updates", () => {
  test("are those of the Yjs protocol", () => {
    const [doc, other] = [new Doc(), new Doc()]
    const [sender, receiver] = [new Awareness(doc), new Awareness(other)]
    sender.setLocalState({ cursor: 3, user: { name: "Zoë 🎉" } })
    const entries = decodeAwareness(encodeAwarenessUpdate(sender, [doc.clientID]), 1) ?? []

    applyAwarenessUpdate(receiver, encodeAwareness(entries), "test")

    expect(entries).toMatchObject([{ clientId: doc.clientID, state: '{"cursor":3,"user":{"name":"Zoë 🎉"}}' }])
    expect(receiver.getStates().get(doc.clientID)).toEqual({ cursor: 3, user: { name: "Zoë 🎉" } })
    for (const each of [sender, receiver]) each.destroy()
  })

  test("are decoded as they were encoded, and any other bytes do no harm", () => {
    const states = fc.array(fc.record({ clientId: fc.nat(), clock: fc.nat(), state: fc.string() }), { maxLength: 10 })
    fc.assert(
      fc.property(states, fc.uint8Array({ maxLength: 60 }), (list, bytes) => {
        expect(decodeAwareness(encodeAwareness(list), 10)).toEqual(list)
        expect(() => decodeAwareness(bytes, 10)).not.toThrow()
      }),
    )
  })
})

test("a state vector is what Yjs calls one", () => {
  const doc = new Doc()
  expect(isStateVector(encodeStateVector(doc))).toBe(true)
  doc.getText("body").insert(0, "text")
  expect(isStateVector(encodeStateVector(doc))).toBe(true)
  expect(isStateVector(Buffer.from([]))).toBe(false)
  expect(isStateVector(Buffer.from([2, 1, 1]))).toBe(false)
  expect(isStateVector(Buffer.from([0, 0]))).toBe(false)
})

describe("the states of a document", () => {
  test("take newer clocks only, and the end of a state with the same clock", () => {
    const states = new AwarenessStates()

    expect(states.apply([entry(1, 5, "{}")], OWNER)).toHaveLength(1)
    expect(states.apply([entry(1, 5, '{"a":1}')], OWNER)).toEqual([])
    expect(states.apply([entry(1, 4, "null")], OWNER)).toEqual([])
    expect(states.apply([entry(1, 5, "null")], OWNER)).toEqual([entry(1, 5, "null")])
    expect(states.apply([entry(1, 6, "null")], OWNER)).toEqual([])
  })

  test("expire half a minute after they were renewed", () => {
    const states = new AwarenessStates()
    states.apply([entry(1, 1, "{}")], OWNER)
    states.apply([entry(2, 1, "{}")], { stream: "s2", userId: null })

    vi.advanceTimersByTime(20_000)
    states.apply([entry(1, 2, "{}")], OWNER)
    vi.advanceTimersByTime(15_000)

    expect(states.removeExpired()).toEqual([entry(2, 1, "null")])
    expect(states.statesExcept("")).toMatchObject([{ clientId: 1 }])
  })

  test("of a stream end with it", () => {
    const states = new AwarenessStates()
    states.apply([entry(1, 1, "{}")], OWNER)
    states.apply([entry(2, 7, "{}")], { stream: "s2", userId: null })

    expect(states.removeStream("s2")).toEqual([entry(2, 7, "null")])
    expect(states.removeStream("s2")).toEqual([])
  })
})

describe("messages between processes", () => {
  test("arrive whole, in whatever order their parts come, and none is too long for the bus", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), fc.nat(400), (text, times) => {
        const message = { text: text.repeat(times) }
        const parts = splitMessage(message)
        const assembler = new MessageAssembler()

        const results = [...parts].reverse().map((part) => assembler.add(part))

        expect(results.at(-1)).toEqual(message)
        expect(results.slice(0, -1).every((result) => result === undefined)).toBe(true)
        expect(Math.max(...parts.map((part) => Buffer.byteLength(part)))).toBeLessThan(5_100)
      }),
      { numRuns: 50 },
    )
  })

  test("that lost a part do not keep the others, and what is no message does nothing", () => {
    const assembler = new MessageAssembler()
    for (let lost = 0; lost < 1_000; lost++) assembler.add(`id${lost} 0 2 abc`)
    for (const text of ["", "x", "x y z", "x 0 0 y", "x 0 1e9 y"]) expect(assembler.add(text)).toBeUndefined()

    const [part = ""] = splitMessage("short")
    expect(assembler.add(part)).toBe("short")
  })
})
