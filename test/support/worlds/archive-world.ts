import { connect, createServer } from "node:net"
import pg from "pg"
import { runKit as runCommand } from "../processes/kit-command.ts"
import { type AppFolder, KitProcess } from "../processes/kit-process.ts"

/** The files of an app that uses every kind of storage: versions, stages, soft delete, links, users, values, files. */
export const ARCHIVED_APP = {
  "src/collections/tags.ts": `
import { collection } from "kit"
export default collection("tags").fields(({ f }) => ({ name: f.text().required() })).access({ read: true })
`,
  "src/collections/stories.ts": `
import { collection } from "kit"
export default collection("stories")
  .fields(({ f }) => ({
    title: f.text(200).required(),
    number: f.number().bigint(),
    extra: f.json(),
    tags: f.relation("tags").manyToMany({ ordered: true }),
    sequel: f.relation("stories"),
  }))
  .access({ read: true, drafts: true, versions: true, delete: true, update: true })
  .options({ versions: true, revision: true, softDelete: true, workflow: true })
`,
  "src/collections/media.ts": `
import { collection } from "kit"
export default collection("media").upload().access({ read: true, upload: true })
`,
  "src/globals/site.ts": `
import { global } from "kit"
export default global("site").fields(({ f }) => ({ name: f.text().required() })).access({ read: true })
`,
  "src/seeds/first.ts": `
import { seed } from "kit"
export default seed(async ({ collections, globals, users }) => {
  const tag = await collections.tags.create({ name: "Ď\\n\\\\N\\t" })
  const first = await collections.stories.create({ title: "First", number: 9007199254740993n, extra: { a: [null] }, tags: [tag.id] })
  await collections.stories.transitionStage({ id: first.id, stage: "published" })
  await collections.stories.updateById({ id: first.id, data: { title: "First, again" } })
  const second = await collections.stories.create({ title: "Second", sequel: first.id })
  await collections.stories.deleteById({ id: second.id })
  await globals.site.update({ name: "Desk" })
  await users.create({ email: "eva@example.com", name: "Eva", password: "correct horse battery" })
})
`,
}

interface Place {
  readonly folder: AppFolder
  /** The environment that names the database; an empty DATABASE_URL means the embedded one. */
  readonly env: Record<string, string>
}

/** Runs a command of kit in the app's folder. */
export function runKit({ folder, env }: Place, ...args: readonly string[]) {
  return runCommand(args, { cwd: folder.path, env })
}

/** Serves the app while `work` runs. */
export async function whileServed<Result>({ folder, env }: Place, work: (url: string) => Promise<Result>) {
  const server = new KitProcess(["start", "--port", "0"], { cwd: folder.path, env })
  const [, url = ""] = await server.printed(/on (http:\S+)/)
  await server.printed(/ready in/)
  try {
    return await work(url)
  } finally {
    await server.stop()
  }
}

const DRAFTS = "/stories?with[tags]=true&with[sequel]=true&stage=draft"
const READS = [
  "/tags",
  DRAFTS,
  "/stories?with[tags]=true&stage=published",
  "/stories?includeDeleted=true&stage=draft",
  "/globals/site",
  "/media",
]

/** Returns every answer of the app and every byte of its files, and whether its user can sign in. */
export async function answersOf(url: string): Promise<Readonly<Record<string, string>>> {
  const answers: Record<string, string> = {}
  for (const path of READS) answers[path] = await textOf(url + path)
  const { docs: stories } = bodyOf(answers[DRAFTS])
  for (const { id } of stories) answers[`versions of ${id}`] = await textOf(`${url}/stories/${id}/versions`)
  const { docs: media } = bodyOf(answers["/media"])
  for (const { key } of media) answers[`file ${key}`] = await textOf(`${url}/media/files/${key}`)
  const credentials = { email: "eva@example.com", password: "correct horse battery" }
  const signIn = await fetch(`${url}/auth/sign-in/email`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(credentials),
  })
  return { ...answers, signIn: String(signIn.status) }
}

/** Uploads a file to the app. */
export async function upload(url: string, name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const form = new FormData()
  form.set("file", new Blob([bytes]), name)
  const answer = await fetch(`${url}/media/upload`, { method: "POST", body: form })
  if (answer.status !== 201) throw new Error(`The upload was answered with ${answer.status}: ${await answer.text()}`)
}

/** Listens on an address that is not "localhost" and forwards everything to the database. */
export async function startForwarder(databaseUrl: string) {
  const { host, port, user, database } = new pg.Client({ connectionString: databaseUrl })
  const target = host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
  const server = createServer((client) => {
    const upstream = connect(target)
    client.on("error", () => upstream.destroy())
    upstream.on("error", () => client.destroy())
    client.pipe(upstream).pipe(client)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.2", resolve))
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("The forwarder has no port.")
  return {
    url: `postgres://${user}@127.0.0.2:${address.port}/${database}`,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  }
}

async function textOf(url: string): Promise<string> {
  const answer = await fetch(url)
  const bytes = Buffer.from(await answer.arrayBuffer())
  return `${answer.status} ${answer.headers.get("content-type")} ${bytes.toString("latin1")}`
}

function bodyOf(answer = ""): { readonly docs: readonly { readonly id: string; readonly key: string }[] } {
  return JSON.parse(Buffer.from(answer.slice(answer.indexOf("{")), "latin1").toString())
}
