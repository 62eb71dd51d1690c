import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { documentServer } from "./document-server.ts"

const entry = (name: string) => JSON.stringify(fileURLToPath(new URL(`../../dist/bundle/${name}.js`, import.meta.url)))

test.each(["disconnect", "destroy"])("a process ends by itself after %s", async (method) => {
  await using server = await documentServer()
  const script = `
    import { createClient } from ${entry("client")}
    import { createCrdtClient } from ${entry("crdt")}
    const crdt = createCrdtClient(createClient({ baseURL: ${JSON.stringify(server.baseURL)} }))
    const document = crdt.collections.articles.document({ id: "1", field: "body" })
    await document.whenSynced()
    document.doc.getText("body").insert(0, "done")
    document.${method}()
  `
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: "inherit" })
  const [code] = await once(child, "exit")

  expect(code).toBe(0)
  expect(server.text()).toBe("done")
  await expect.poll(() => server.streams.length).toBe(0)
})
