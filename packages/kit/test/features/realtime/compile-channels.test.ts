import { expect, test } from "vitest"
import { compileChannels } from "../../../src/features/realtime/channels/compile-channels.ts"
import { channel } from "../../../src/schema/builders/channel.ts"

const schema = { "~standard": { version: 1 as const, vendor: "test", validate: (value: unknown) => ({ value }) } }
const source = (file: string, key: string, name: string) => ({
  file,
  key,
  definition: channel(name).events({ message: schema }).definition,
})

test("channels are found by the names of their files", () => {
  const { channels, mistakes } = compileChannels([source("a.ts", "room", "room-[id]"), source("b.ts", "hall", "hall")])

  expect(mistakes).toEqual([])
  expect([...channels.keys()]).toEqual(["room", "hall"])
})

test("all that is wrong with them is said at once", () => {
  const { mistakes } = compileChannels([
    source("a/room.ts", "room", "room"),
    source("b/room.ts", "room", "other"),
    source("c.ts", "then", "then"),
    source("d.ts", "1", "one"),
    source("e.ts", "again", "room"),
    { file: "f.ts", key: "empty", definition: channel("empty").definition },
  ])

  expect(mistakes.map(({ file, message }) => `${file}: ${message}`)).toEqual([
    'b/room.ts: channel "room" is already declared in a/room.ts. Rename one of the files.',
    'c.ts: clients access a channel by the name of its file, and the name "then" belongs to promises. Rename the file.',
    expect.stringContaining('d.ts: clients access a channel by the name of its file, and "1" is not a name.'),
    'e.ts: the channel in a/room.ts is called "room" too. Give each a unique name: events are stored under it.',
    'f.ts: channel "empty" has no events. Write .events({ message: z.object({ … }) }).',
  ])
})
