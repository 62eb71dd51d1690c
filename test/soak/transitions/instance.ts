// One instance of the experiment in transitions.ts: an app as `kit start` runs it, without its server.
// With <transitions> it schedules them, all within one second, and runs none; otherwise it runs the pending ones.
import { collection, createApp, users } from "kit"
import { present } from "../../support/present.ts"

const [, , url = "", transitions = "0", dueAt = "0"] = process.argv
const AT_ONCE = 20
const WITHIN_MS = 1_000

const isEditor = ({ session }: any) => session?.user.role === "editor"
const posts = collection("posts")
  .fields(({ f }) => ({ title: f.text().required() }))
  .options({ workflow: true, versions: true, id: "client" })
  .access({ read: true, create: isEditor, update: isEditor, transition: isEditor })
const resources = [posts, users()].map(({ definition }) => ({ file: `${definition.name}.ts`, definition }))

const app = await createApp({
  resources,
  config: { db: { url }, secret: "a secret of this experiment, and of no other" },
  root: process.cwd(),
})
if (Number(transitions) > 0) await schedule()
else await app.startWorker()
console.log("ready")

async function schedule() {
  const editor = await app.users.create({ email: "editor@example.com", name: "Editor", role: "editor" })
  const session = { user: { id: editor.id, role: "editor" } }
  const posts = present(app.as(session).collections["posts"])
  let next = 0
  const scheduleSome = async () => {
    for (let number = next++; number < Number(transitions); number = next++) {
      const scheduledAt = new Date(Number(dueAt) + Math.floor((number * WITHIN_MS) / Number(transitions)))
      await posts.create({ id: `post-${number}`, title: `Post ${number}` })
      await posts.transitionStage({ id: `post-${number}`, stage: "published", scheduledAt })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, scheduleSome))
}
