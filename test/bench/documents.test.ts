// @module-tag not-about-engine
// @module-tag experiment

import { spawn } from "node:child_process"
import { once } from "node:events"
import { text } from "node:stream/consumers"
import { expect, test } from "vitest"
import { testServer } from "../../packages/kit/src/testing/test-server.ts"

test.each([
  [
    "keystrokes",
    [/^\| document +\|( +[\d.]+ \|){5}/m, /^document \/ channel: [\d.]+ \(/m, /^document \/ hocuspocus: [\d.]+ \(/m],
  ],
  ["large-document", [/edits: 2000/, /storedOfCompacted: [\d.]+/, /openMsWithoutSlowdown: [\d.]+/]],
  ["open-documents", [/documents: 20,/, /heapKbOfEach: -?[\d.]+/]],
])("the quick form of the bench %s measures everything", async (name, figures) => {
  const { url } = await testServer(".")
  const env = { ...process.env, DATABASE_URL: url }
  const child = spawn(process.execPath, [`bench/documents/${name}.mjs`, "--quick"], { env })

  const exited = once(child, "exit")
  const [printed, problems] = await Promise.all([text(child.stdout), text(child.stderr)])

  expect(await exited, problems).toEqual([0, null])
  for (const figure of figures) expect(printed).toMatch(figure)
})
