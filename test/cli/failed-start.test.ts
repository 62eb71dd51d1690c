// @module-tag not-about-engine

import { collection } from "kit"
import { expect, test } from "vitest"
import { openApp } from "../../packages/kit/src/app/create-app.ts"
import { freshDatabase } from "../support/worlds/synced-app.ts"

test("an app that fails on its last step closes what it has opened, and says why it failed", async () => {
  const database = await freshDatabase()
  const closed: string[] = []
  const notes = collection("notes").fields(({ f }) => ({ text: f.text() }))
  const quiet = { info: () => {}, warn: () => {}, error: () => {} }
  const definition = {
    resources: [{ file: "notes.ts", definition: notes.definition }],
    config: {
      db: { url: database.url },
      secret: "a secret for tests only",
      logger: quiet,
      email: {
        from: "a@example.com",
        transport: { send: async () => {}, close: async () => void closed.push("mail") },
      },
    },
    root: "/nowhere",
  }

  const opening = openApp(definition, {
    wrapSessions: () => {
      throw new Error("There are no sessions.")
    },
  })

  await expect(opening).rejects.toThrow("There are no sessions.")
  expect(closed).toEqual(["mail"])
  const others = "datname = current_database() and pid <> pg_backend_pid()"
  const connections = () => database.query(`select pid from pg_stat_activity where ${others}`)
  await expect.poll(connections).toEqual([])
})
