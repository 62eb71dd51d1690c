import { execFile } from "node:child_process"
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { expect, test } from "vitest"
import { channel } from "../../src/schema/builders/channel.ts"
import { appFolder } from "./app-folder.ts"
import { generateApp } from "./newspaper.ts"
import { checked } from "./newspaper-files.ts"

const FILES = {
  "src/channels/room.ts": `import { channel } from "kit"
import { z } from "zod"

export default channel("room-[roomId]-[part]")
  .events({
    message: z.object({ text: z.string(), at: z.coerce.date(), size: z.number().default(1) }),
    typing: z.object({ isFast: z.boolean() }),
  })
  .access({
    subscribe: ({ session, params }) => {
      const room: string = params.roomId
      // @ts-expect-error no such parameter
      params.romId
      return session !== null && room !== "" && params.part !== ""
    },
    publish: async ({ event, channels, params }) => {
      // @ts-expect-error no such event
      if (event === "mesage") return false
      // A rule may come upon all channels, its own included.
      await channels.hall.publish({ event: "tick", data: params.part.length })
      return event === "message"
    },
  })
  .presence(async ({ session, params }) => ({ name: session?.user.id ?? "somebody", part: params.part }))
`,
  "src/channels/hall.ts": `import { channel } from "kit"
import { z } from "zod"

export default channel("hall").events({ tick: z.number() }).access({
  subscribe: true,
  // @ts-expect-error no such rule
  read: true,
})
`,
  "src/routes/say.ts": `import { route } from "kit"

export default route().handler(async ({ channels, transaction }) => {
  const { eventId } = await channels.hall.publish({ event: "tick", data: 1 })
  const id: string = eventId
  await transaction((inner) =>
    inner.channels.room.publish({ params: { roomId: "1", part: "a" }, event: "message", data: { text: "", at: "now" } }),
  )
  await channels.room.publish({ params: { roomId: "1", part: "a" }, event: "typing", data: { isFast: true } })
  // @ts-expect-error no such channel
  await channels.rom.publish({ event: "tick", data: 1 })
  // @ts-expect-error no such event
  await channels.hall.publish({ event: "tock", data: 1 })
  // @ts-expect-error the data of another event
  await channels.room.publish({ params: { roomId: "1", part: "a" }, event: "message", data: {} })
  // @ts-expect-error a parameter is missing
  await channels.room.publish({ params: { roomId: "1" }, event: "typing", data: { isFast: true } })
  // @ts-expect-error all parameters are missing
  await channels.room.publish({ event: "typing", data: { isFast: true } })
  return id
})
`,
  "src/client.ts": `import { createClient } from "kit/client"
import type { AppConfig } from "./generated/index.ts"

const { channels } = createClient<AppConfig>({ baseURL: "http://localhost:3000" })
const place = { roomId: "1", part: "a" }

channels.room.subscribe(
  place,
  (event) => {
    const id: string = event.eventId
    if (event.event === "message") {
      const at: Date = event.data.at
      const size: number = event.data.size
      console.log(at, size, id)
    }
    // @ts-expect-error not every event has it
    event.data.text
    // @ts-expect-error no such event
    if (event.event === "mesage") return
  },
  { lastEventId: "1", onGap: () => {}, onError: (error) => console.log(error.message) },
)
channels.room.presence(place, (members) => {
  const [first] = members
  const name: string | undefined = first?.data.name
  // @ts-expect-error nobody says so
  first?.data.age
  return name
})
for await (const { data } of channels.hall.iter({})) {
  const tick: number = data
  console.log(tick)
  break
}
const { eventId } = await channels.room.publish({ params: place, event: "message", data: { text: "", at: new Date() } })
await channels.hall.publish({ event: "tick", data: Number(eventId) })
// @ts-expect-error a parameter is missing
channels.room.subscribe({ roomId: "1" }, () => {})
// @ts-expect-error no such parameter
channels.hall.iter({ roomId: "1" })
// @ts-expect-error no such channel
channels.rom
// @ts-expect-error the data of another event
await channels.room.publish({ params: place, event: "message", data: {} })
// @ts-expect-error this channel shows nobody
channels.hall.presence({}, () => {})
const page = await channels.room.findEvents({ params: place, limit: 20, after: null })
for (const event of page.docs) {
  if (event.event === "message") console.log(event.data.at.getTime(), event.eventId.length)
  // @ts-expect-error not every event has it
  event.data.text
}
await channels.hall.findEvents({ before: page.startCursor })
// @ts-expect-error the parameters are missing
await channels.room.findEvents({ limit: 20 })
// @ts-expect-error no such option
await channels.hall.findEvents({ offset: 20 })
`,
}

const schema = { "~standard": { version: 1 as const, vendor: "test", validate: () => ({ value: {} }) } }
const CHANNELS = [
  { file: "hall", key: "hall", definition: channel("hall").events({ tick: schema }).definition },
  { file: "room", key: "room", definition: channel("room-[roomId]-[part]").events({ message: schema }).definition },
]

/** The files of the app, what is generated for its channels, and more files besides. */
function filesWith(more: Readonly<Record<string, string>>): Map<string, string> {
  const files = new Map(Object.entries({ ...FILES, ...more }))
  for (const [name, text] of generateApp({ resources: [], routes: [], channels: CHANNELS })) {
    files.set(`src/generated/${name}`, checked(text))
  }
  return files
}

test("clients and handlers know the parameters, events and members of each channel", async () => {
  await using app = await appFolder(filesWith({}))

  expect(await app.complaints()).toEqual([])
})

const PAGE = `import { createClient } from "kit/client"
import { useChannel, usePresence } from "kit/react"
import { useRead } from "kit/react-reads"
import type { AppConfig } from "../generated/index.ts"

const { channels } = createClient<AppConfig>({ baseURL: "http://localhost:3000" })

export function useRoom(roomId: string | null) {
  const place = roomId === null ? null : { roomId, part: "a" }
  useChannel(channels.room, place, ({ event, data }) => {
    if (event === "message") console.log(data.at.getTime(), data.size.toFixed())
    // @ts-expect-error no such event
    if (event === "mesage") return
  })
  useChannel(channels.hall, {}, { onEvent: ({ data }) => data.toFixed(), onGap: () => {} })
  // @ts-expect-error a parameter is missing
  useChannel(channels.room, { roomId: "1" }, () => {})
  // @ts-expect-error no such parameter
  usePresence(channels.room, { roomId: "1", part: "a", prt: "b" })
  // @ts-expect-error this channel shows nobody
  usePresence(channels.hall, {})
  // @ts-expect-error not a channel
  usePresence({ subscribe: () => () => {} }, {})
  const tick: number | undefined = useRead(channels.hall.findEvents, {}).data?.docs[0]?.data
  console.log(tick)
  const { members } = usePresence(channels.room, place)
  // @ts-expect-error nobody says so
  members[0]?.data.age
  return members.map(({ data }) => data.name.toUpperCase())
}
`

test("so do the hooks of a page", async () => {
  await using app = await appFolder(filesWith({ "src/web/page.ts": PAGE }))

  expect(await app.complaints()).toEqual([])
})

test("so do those of the package for front ends, although the generated types come from the server's package", async () => {
  await using app = await appFolder(filesWith({ "src/web/page.ts": PAGE }))
  const folder = join(app.path, "src/web/node_modules/kit")
  await mkdir(folder, { recursive: true })
  const tarball = fileURLToPath(new URL("../../dist/kit-web.tgz", import.meta.url))
  await promisify(execFile)("tar", ["-xzf", tarball, "-C", folder, "--strip-components", "1"])

  expect(await app.complaints()).toEqual([])
})

test("an app without channels has nothing generated for them", () => {
  const texts = [...generateApp({ resources: [] }).values()].join("\n")

  expect(texts).not.toMatch(/channel/i)
})
