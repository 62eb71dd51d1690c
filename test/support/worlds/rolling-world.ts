import { type Collection, collection, type Global, global, type Job } from "kit"
import { onTestFinished } from "vitest"
import type { TestDatabase } from "../test-database.ts"
import { freshDatabase } from "./synced-app.ts"
import { type TestApp, testApp } from "./test-app.ts"

const everyone = { read: true, create: true, update: true, delete: true } as const

type Fields = (f: any) => Record<string, any>

/** The declarations of one version of the app, in addition to the common ones. */
export interface Version {
  readonly posts?: Fields
  readonly tags?: Fields
  readonly site?: Fields
  readonly more?: readonly (Collection<any> | Global<any>)[]
  readonly jobs?: Readonly<Record<string, Job>>
}

const nothing: Fields = () => ({})

function declared({ posts = nothing, tags = nothing, site = nothing, more = [] }: Version) {
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
    collection("tags")
      .fields(({ f }) => ({ name: f.text(), ...tags(f) }))
      .access(everyone),
    global("site")
      .fields(({ f }) => ({ name: f.text(), ...site(f) }))
      .access(everyone),
    ...more,
  ]
}

/** A database, and versions of an app that run on it at the same time. */
export async function rollingWorld(): Promise<{
  readonly database: TestDatabase
  start(version?: Version): Promise<TestApp>
}> {
  const database = await freshDatabase()
  return {
    database,
    start: async (version = {}) => {
      const { jobs } = version
      const config = { db: { url: database.url } }
      const app = await testApp({ resources: declared(version), config, ...(jobs && { jobs }) })
      onTestFinished(() => app[Symbol.asyncDispose]())
      return app
    },
  }
}

/** Callers of one version who write and read without pause. */
export interface Load {
  /** The wrong answers, each as `POST /posts 500`. */
  readonly wrong: readonly string[]
  /** Resolves when each caller has done this many more rounds. */
  rounds(count: number): Promise<void>
  stop(): Promise<void>
}

const CALLERS = 3

export function startLoad(app: TestApp): Load {
  const wrong: string[] = []
  const waiting = new Map<number, () => void>()
  let rounds = 0
  let isOver = false
  const noteRound = () => {
    rounds++
    waiting.get(rounds)?.()
  }
  const callers = Array.from({ length: CALLERS }, async (_, caller) => {
    for (let round = 0; !isOver; round++) {
      await oneRound(app, { wrong, title: `${caller}-${round}`, views: round })
      noteRound()
    }
  })
  return {
    wrong,
    rounds: (count) => new Promise((resolve) => void waiting.set(rounds + count * CALLERS, resolve)),
    stop: async () => {
      isOver = true
      await Promise.all(callers)
    },
  }
}

interface Round {
  readonly wrong: string[]
  readonly title: string
  readonly views: number
}

/** Does everything that a version does with a record, and checks the answer of each step. */
async function oneRound(app: TestApp, { wrong, title, views }: Round): Promise<void> {
  const call = async (method: string, path: string, body?: object): Promise<any> => {
    const { status, body: answer } = await app.fetch(path, { method, ...(body && { body: JSON.stringify(body) }) })
    const isWrong = status >= 300 || (answer?.title !== undefined && !isRecord(answer))
    if (isWrong) wrong.push(`${method} ${path.replace(/[0-9a-f-]{36}/, ":id")} ${status} ${JSON.stringify(answer)}`)
    return answer
  }
  const isRecord = (answer: any) => answer.title.endsWith(title) && [views, 7].includes(answer.views)
  const tag = await call("POST", "/tags", { name: title })
  const { id } = await call("POST", "/posts", { title, views, tags: [tag.id] })
  if (id === undefined || tag.id === undefined) return
  const post = `/posts/${id}`
  await call("PATCH", "/globals/site", { name: title })
  await call("PATCH", post, { title: `New ${title}` })
  await call("PATCH", post, { tags: { set: [] } })
  await call("POST", `${post}/transition`, { stage: "published" })
  await call("GET", `${post}?with[tags]=true`)
  await call("GET", `${post}?stage=published`)
  await call("GET", `${post}/versions`)
  await call("POST", `${post}/revert`, { version: 1 })
  await call("PATCH", "/posts", { where: { id: { in: [id] } }, data: { views: 7 } })
  await call("GET", "/posts?limit=5&where[views][gte]=0&orderBy[views]=desc")
  await call("GET", "/posts?limit=5&groupBy=views")
  await call("DELETE", post)
  await call("POST", `${post}/restore`)
  await call("DELETE", `/tags/${tag.id}`)
}
