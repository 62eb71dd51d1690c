import { describe, expect, test } from "vitest"
import { channel } from "../../src/schema/builders/channel.ts"

const schema = { "~standard": { version: 1 as const, vendor: "test", validate: (value: unknown) => ({ value }) } }

describe("a channel", () => {
  test("knows its parameters in their order, and what was said of it", () => {
    const presence = () => "here"
    const { definition } = channel("room-[roomId]:[part]")
      .events({ message: schema })
      .access({ subscribe: true })
      .presence(presence)

    expect(definition).toMatchObject({
      kind: "channel",
      name: "room-[roomId]:[part]",
      params: ["roomId", "part"],
      access: { subscribe: true },
      presence,
    })
    expect([...definition.events]).toEqual([["message", schema]])
  })

  test("is not changed by what is said of a copy", () => {
    const first = channel("hall").events({ message: schema })
    first.access({ subscribe: true })

    expect(first.definition.access).toEqual({})
  })

  test.each([
    "",
    "a room",
    "room-[]",
    "room-[1]",
    "room-[a",
    "room-a]",
    "room/[a]",
    "r*",
    "a\u0000b",
    "x".repeat(101),
    5,
  ])("may not be called %j", (name) => {
    expect(() => channel(name as string)).toThrow("is not a valid channel name")
  })

  test.each([
    { name: "[a]-[a]", says: 'has "[a]" twice' },
    { name: "[constructor]", says: "used by JavaScript itself" },
  ])("may not have the parameters of $name", ({ name, says }) => {
    expect(() => channel(name)).toThrow(says)
  })

  test("refuses an event without a schema or a name, a rule that there is not, and a presence that is no function", () => {
    const room = channel("room").events({ message: schema })

    expect(() => channel("room").events({ message: {} as never })).toThrow('Event "message" of channel "room" needs')
    expect(() => channel("room").events({ "a b": schema })).toThrow('"a b" is not a name')
    expect(() => room.access({ publsh: true } as never)).toThrow('has no "publsh". Did you mean "publish"?')
    expect(() => room.presence({} as never)).toThrow(".presence() takes a function")
  })
})
