// @module-tag not-about-engine
// @module-tag experiment

import { expect, test } from "vitest"
import { appFolder, KitProcess } from "../support/processes/kit-process.ts"
import { createTestDatabase } from "../support/test-database.ts"

// Each collection has a read rule of another kind; the expected line below names what a caller without a session reads.
const APP = {
  ...collection("all", "read: () => true"),
  ...collection("awaited", "read: async ({ session }) => (session ? true : { title: 'shown' })"),
  ...collection("data", "read: async ({ collections }) => (await collections.all.count()) > 0"),
  ...collection("filtered", "read: () => ({ title: 'shown' })"),
  ...collection("hanging", "read: () => new Promise<true>(() => {})"),
  ...collection("invalid", "read: () => ({ nothing: 5 })"),
  ...collection("own", "read: ({ session }) => ({ title: session!.user.id })"),
  ...collection("signed", "read: ({ session, collections, input, id }) => (session ? !!collections : !!(input ?? id))"),
  ...collection("soft", "read: true", ".options({ softDelete: true })"),
  ...collection("staged", "read: true, update: false", workflow()),
  ...collection("stagedPart", "read: () => ({ title: 'shown' }), drafts: ({ session }) => session && true", workflow()),
  "src/globals/site.ts": `import { global } from "kit"
export default global("site").fields(({ f }) => ({ title: f.text() })).access({ read: () => ({ title: "shown" }), update: false })`,
  ...route("asks", "({ request }) => request.headers.has('x-let-me-in')"),
  ...route("members", "({ session }) => session !== null"),
  ...route("open", "() => true"),
}
const OPEN = [
  "GET /all",
  "some records of GET /awaited",
  "perhaps GET /data",
  "some records of GET /filtered",
  "perhaps GET /hanging",
  "GET /soft",
  "published records of GET /staged",
  "some published records of GET /stagedPart",
  "perhaps GET /globals/site",
  "perhaps GET /asks",
  "GET /open",
].join(", ")

test("the start and the doctor name all that a caller without a session may read or call", async () => {
  const database = await createTestDatabase()
  await using folder = await appFolder(APP)
  const options = { cwd: folder.path, env: { DATABASE_URL: database.url } }

  const started = new KitProcess(["start", "--port", "0"], options)
  const [, url] = await started.printed(/on (http:\S+)/)
  await started.printed(/ready in/)
  const answers = await Promise.all(["filtered", "own", "signed"].map((name) => fetch(`${url}/${name}`)))
  await started.stop()
  const doctor = new KitProcess(["doctor"], options)
  await doctor.exit()

  expect(started.output).toContain(`open to anyone: ${OPEN}\n`)
  expect(doctor.output).toContain(`open to anyone: ${OPEN}\n`)
  expect(answers.map(({ status }) => status)).toEqual([200, 401, 401])
  await database.drop()
})

function collection(name: string, rules: string, options = ""): Record<string, string> {
  const text = `import { collection } from "kit"
export default collection("${name}").fields(({ f }) => ({ title: f.text() })).access({ ${rules} })${options}`
  return { [`src/collections/${name}.ts`]: text }
}

function workflow(): string {
  return '.options({ workflow: { stages: { draft: { to: ["published"] }, published: { to: ["draft"] } } } })'
}

function route(name: string, rule: string): Record<string, string> {
  const text = `import { route } from "kit"
export default route().get().access(${rule}).handler(() => ({ ok: true }))`
  return { [`src/routes/${name}.ts`]: text }
}
