import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { liveServer } from "./live-server.ts"

const client = fileURLToPath(new URL("../../dist/bundle/client.js", import.meta.url))

test("a process runs as long as it follows something, and ends by itself when it does not", async () => {
  await using server = await liveServer()
  const script = `
    import { createClient } from ${JSON.stringify(client)}
    const { collections, realtime } = createClient({ baseURL: ${JSON.stringify(server.baseURL)} })
    const stop = collections.posts.live({}, (snapshot) => {
      console.log(snapshot)
      if (snapshot === "last") stop()
    })
  `
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["ignore", "pipe", "inherit"] })
  const exited = once(child, "exit")

  const stream = await server.stream()
  // Nothing but the subscription keeps it running while it waits for another stream.
  stream.snapshot(stream.id(), "first")
  await once(child.stdout, "data")
  stream.end()
  const second = await server.stream()
  second.snapshot(second.id(), "last")
  const [code] = await exited

  expect(code).toBe(0)
  await second.closed
})
