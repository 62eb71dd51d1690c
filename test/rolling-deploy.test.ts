import { type App, type Collection, collection, type Global, global } from "kit"
import { expect, test } from "vitest"
import { startOn, freshDatabase } from "./support/synced-app.ts"

const everyone = { read: true, create: true, update: true, delete: true, purge: true } as const

type Fields = (f: any) => Record<string, any>

interface Version {
  readonly posts?: Fields
  readonly tags?: Fields
  readonly site?: Fields
  readonly more?: readonly (Collection<any> | Global<any>)[]
}

function resources({ posts = () => ({}), tags = () => ({}), site = () => ({}), more = [] }: Version) {
  return [
    collection("posts")
      .fields(({ f }) => ({
        title: f.text(200).required(),
        views: f.number().integer().default(0),
        tags: f.relation("tags").manyToMany(),
        ...posts(f),
      }))
      .options({ versions: true, workflow: true, softDelete: true, revision: true })
      .access(everyone),
    collection("tags").fields(({ f }) => ({ name: f.text(), ...tags(f) })).access(everyone),
    global("site").fields(({ f }) => ({ name: f.text(), ...site(f) })).access(everyone),
    ...more,
  ]
}

const ADDITIVE: Record<string, Version> = {
  "an optional field": { posts: (f) => ({ note: f.text() }) },
  "a required field with a default": { posts: (f) => ({ kind: f.text().required().default("plain") }), tags: (f) => ({ color: f.text().required().default("red") }), site: (f) => ({ theme: f.text().required().default("dark") }) },
  "a localized field with a default": { posts: (f) => ({ kind: f.text().localized().required().default("plain") }) },
  "an index": { posts: (f) => ({ views: f.number().integer().default(0).index() }) },
  "a unique index": { posts: (f) => ({ title: f.text(200).required().unique() }) },
  "bigint": { posts: (f) => ({ views: f.number().bigint().default(0) }) },
  "decimal": { posts: (f) => ({ views: f.number().decimal(12, 2).default(0) }) },
  "double": { posts: (f) => ({ views: f.number().default(0) }) },
  "a collection that points to posts": { more: [collection("comments").fields(({ f }) => ({ post: f.relation("posts").required(), tag: f.relation("tags") })).access(everyone)] },
  "a relation and links": { posts: (f) => ({ parent: f.relation("posts"), others: f.relation("tags").manyToMany({ through: "othering" }) }) },
}

test.each(Object.entries(ADDITIVE))("%s", async (_name, version) => {
  const database = await freshDatabase()
  const errors: unknown[] = []
  const logger = { info: () => {}, warn: (m: string, f: any) => errors.push([m, String(f?.error), f?.error?.code, f?.call]), error: (m: string, f: any) => errors.push([m, String(f?.error), f?.error?.code, f?.call]) }
  const old = await startOn(database, resources({}), { logger })
  const load = startLoad(old)
  await load.rounds(4)

  const next = await startOn(database, resources(version))
  await load.rounds(6)
  await load.stop()

  console.log(load.statuses, errors.length, [...new Set(errors.map((e) => JSON.stringify(e)))].slice(0, 8))
  expect([...load.statuses.keys()].filter((key) => !/ 20\d/.test(key))).toEqual([])
  void next
})

function startLoad(app: App) {
  const statuses = new Map<string, number>()
  let isOver = false
  let rounds = 0
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await app.handler(new Request(`http://x/api${path}`, { method, ...(body !== undefined && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }) }))
    const answer = await response.json()
    const key = `${method} ${path.replace(/[0-9a-f-]{36}/g, ":id")} ${response.status}`
    statuses.set(key, (statuses.get(key) ?? 0) + 1)
    return answer as any
  }
  const work = async (name: number): Promise<void> => {
    for (let round = 0; !isOver; round++) {
      const tag = await call("POST", "/tags", { name: "t" })
      const post = await call("POST", "/posts", { title: `${name} ${round}`, views: round, tags: tag.id ? [tag.id] : [] })
      await call("PATCH", "/globals/site", { name: `n${round}` })
      if (post.id) {
        const changed = await call("PATCH", `/posts/${post.id}`, { title: `c ${name} ${round}` })
        if (changed.error === undefined) expect(changed).toMatchObject({ title: `c ${name} ${round}`, views: round })
        await call("PATCH", `/posts/${post.id}`, { tags: { set: [] } })
        await call("POST", `/posts/${post.id}/transition`, { stage: "published" })
        const read = await call("GET", `/posts/${post.id}?with[tags]=true`)
        if (read.error === undefined) expect(read).toMatchObject({ views: round })
        await call("GET", `/posts/${post.id}/versions`)
        await call("POST", `/posts/${post.id}/revert`, { version: 1 })
        await call("PATCH", "/posts/update-many".replace("/update-many", ""), { where: { id: { in: [post.id] } }, data: { views: 7 } })
        await call("DELETE", `/posts/${post.id}`)
        await call("POST", `/posts/${post.id}/restore`)
      }
      await call("GET", "/posts?limit=5&stage=published&where[views][gte]=0&orderBy[views]=desc")
      if (tag.id) await call("DELETE", `/tags/${tag.id}`)
      rounds++
    }
  }
  const workers = Promise.all([1, 2, 3, 4].map(work))
  return {
    statuses,
    rounds: async (count: number) => {
      const until = rounds + count * 4
      while (rounds < until) await new Promise((resolve) => setTimeout(resolve, 5))
    },
    stop: async () => {
      isOver = true
      await workers
    },
  }
}
