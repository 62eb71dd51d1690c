import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { expect, test } from "vitest"
import { appFolder } from "./app-folder.ts"

const run = promisify(execFile)
const kit = fileURLToPath(new URL("../../bin/kit.mjs", import.meta.url))

const APP = {
  "src/collections/notes.ts": `import { collection } from "kit"

export default collection("notes").fields(({ f }) => ({ text: f.text().required() }))
`,
  "src/services/clock.ts": `import { service } from "kit/services"

export default service({ lifecycle: "singleton", create: () => ({ now: () => new Date() }) })
`,
  "src/routes/latest.ts": `import { route } from "kit"

export default route().get().handler(async ({ clock, collections, db }) => ({
  at: clock.now(),
  note: await collections.notes.findOne(),
  rows: await db.selectFrom("notes").select("text").execute(),
}))
`,
}

const PAGE = `import { createClient } from "kit/client"
import type { AppConfig } from "../src/generated/index.ts"

const { routes } = createClient<AppConfig>({ baseURL: "http://localhost:3000" })
const latest = await routes.latest.get()
export const [year, text] = [latest.at.getFullYear(), latest.note?.text, latest.rows[0]?.text]
// @ts-expect-error no such field
export const wrong = latest.note?.txt
// @ts-expect-error no such column
export const none = latest.rows[0]?.txt
`

test("a program that takes AppConfig and nothing else of the app knows what its routes answer", async () => {
  const web = { extends: "../tsconfig.json", include: ["."] }
  const page = { "web/page.ts": PAGE, "web/tsconfig.json": JSON.stringify(web) }
  await using app = await appFolder(new Map(Object.entries({ ...APP, ...page })))

  await run(process.execPath, [kit, "generate"], { cwd: app.path })

  expect(await app.complaints("-p", "web")).toEqual([])
})
