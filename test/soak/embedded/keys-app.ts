import { symlink } from "node:fs/promises"
import { join, resolve } from "node:path"
import { type AppFolder, appFolder, KitProcess } from "../../support/processes/kit-process.ts"

/** A process of the app. */
export interface App {
  readonly kit: KitProcess
  readonly url: string
}

const FILES = {
  "src/collections/keys.ts": `
    import { collection } from "kit"
    export default collection("keys")
      .fields(({ f }) => ({ key: f.text().required().unique() }))
      .hooks({ afterChange: async ({ row, queue }) => { await queue.echo.publish({ key: String(row.key) }) } })
      .access({ read: true, create: true })`,
  "src/collections/echoes.ts": `
    import { collection } from "kit"
    export default collection("echoes").fields(({ f }) => ({ key: f.text().required() })).access({ read: true })`,
  "src/jobs/echo.ts": `
    import { job } from "kit"
    import { z } from "zod"
    export default job({
      name: "echo",
      schema: z.object({ key: z.string() }),
      options: { retryLimit: 1000, retryDelay: 1 },
      handler: async ({ payload, collections }) => { await collections.echoes.create({ key: payload.key }) },
    })`,
}

/** Makes an app whose keys are echoed by a job. */
export async function makeKeysApp(): Promise<AppFolder> {
  const folder = await appFolder(FILES)
  await symlink(resolve("node_modules/zod"), join(folder.path, "node_modules/zod"))
  return folder
}

export async function startApp(folder: string): Promise<App> {
  const kit = new KitProcess(["start", "--port", "0"], { cwd: folder, env: { DATABASE_URL: "" } })
  const [, url = ""] = await kit.printed(/ on (http:\S+)/)
  return { kit, url }
}
