import { readFile } from "node:fs/promises"
import { expect, test } from "vitest"
import { appFolder } from "./app-folder.ts"
import { newspaperFiles } from "./newspaper-files.ts"

const SAME = `/** Compiles only when both types are the same. */
export function same<Actual, Expected>(..._proof: Same<Actual, Expected> extends true ? [] : [never]): void {}

type Same<Left, Right> =
  (<Probe>() => Probe extends Left ? 1 : 2) extends <Probe>() => Probe extends Right ? 1 : 2 ? true : false
`

const HOOKS = `import { collection, global, type BeforeChangeContext } from "kit"
import type { NestedMany, NestedOne } from "kit/generated"
import { same } from "./_same.ts"

export const articles = collection("articles").hooks({
  beforeValidate: ({ data, original }) => {
    same<typeof data.title, unknown>()
    data.secret = "system code writes every field"
    if (original) same<typeof original.title, string>()
    // @ts-expect-error no such field
    data.titel
    // @ts-expect-error made by the server
    data.letters
  },
  beforeChange: [
    ({ data, operation }) => (operation === "create" ? { ...data, body: data.body ?? slugify(data.title) } : data),
    ({ data, operation, original }) => {
      if (operation !== "create") {
        same<typeof data.title, string | undefined>()
        same<typeof original.letters, number>()
        same<typeof original.secret, string | null>()
        same<typeof original.notes, string | null>()
        same<typeof original.revision, number>()
        same<typeof original.deletedAt, Date | null>()
        return
      }
      same<typeof original, null>()
      same<typeof data.title, string>()
      same<typeof data.status, "idea" | "writing" | "done">()
      same<typeof data.publishedAt, Date | null | undefined>()
      same<typeof data.views, bigint | null | undefined>()
      same<typeof data.price, string | null | undefined>()
      same<typeof data.place, { city: string; since: Date | null; size: bigint | null } | null | undefined>()
      same<typeof data.author, string | NestedOne>()
      same<typeof data.teams, NestedMany | undefined>()
      data.title = data.title.trim()
      // @ts-expect-error a title is text
      data.title = 5
      // @ts-expect-error no such field
      data.titel
      // @ts-expect-error kept by the server
      data.createdAt
      // @ts-expect-error made by the server
      data.shout
    },
    fill,
  ],
  afterChange: async ({ row, original, data, touch }) => {
    same<typeof row.id, string>()
    same<typeof row.author, string>()
    same<typeof original, typeof row | null>()
    same<typeof data.title, string | undefined>()
    await touch("articles", row.id)
    // @ts-expect-error many records are no part of a row
    row.teams
    // @ts-expect-error the row is what is stored
    row.title = "other"
  },
  afterRead: ({ row }) => {
    same<typeof row.title, string | undefined>()
    same<typeof row.author, unknown>()
    same<typeof row.teams, unknown>()
    row.title = "shown"
    // @ts-expect-error hidden from every caller
    row.secret
  },
  beforeDelete: ({ original, operation }) => {
    same<typeof operation, "delete" | "purge">()
    same<typeof original.secret, string | null>()
    // @ts-expect-error no such field
    original.titel
  },
  // @ts-expect-error no such hook
  afterCreate: () => {},
})

function fill({ data, original }: BeforeChangeContext<"articles">) {
  if (original) same<typeof original.title, string>()
  data.body ??= "empty"
}

export const teams = collection("teams").hooks({
  afterRead: ({ row }) => {
    same<typeof row.name, string | undefined>()
    // @ts-expect-error no such field
    row.nmae
  },
})

export const settings = global("settings").hooks({
  beforeChange: ({ data, original, operation }) => {
    if (operation === "create") return
    same<typeof data.siteName, string | undefined>()
    same<typeof original extends null ? true : false, false>()
    same<null extends typeof original ? true : false, true>()
    same<typeof data.theme, unknown>()
    // @ts-expect-error the one row of a global has no id
    original?.id
  },
})

export const rules = collection("articles").access({
  create: ({ id, input }) => {
    same<typeof id, string | undefined>()
    return input?.status === "idea" && typeof input.title === "string"
  },
  update: ({ input }) => input?.secret === undefined && { status: "idea" },
  // @ts-expect-error no such field
  delete: ({ input }) => input?.titel === undefined,
})

export const fields = collection("people").fields(({ f }) => ({
  hello: f.computed(({ row }) => {
    same<typeof row.name, string>()
    same<typeof row.team, string | null>()
    // @ts-expect-error no such field
    return row.nmae
  }),
  age: f.number().integer().validate((value) => {
    same<typeof value, number>()
    return true
  }),
}))

function slugify(text: string): string {
  return text.toLowerCase()
}
`

// Fields whose types only the file knows, used by the hooks of that very file and by others that it depends on.
const ARTICLES = `
  .access({ create: ({ input }) => input?.meta !== undefined && input.title !== "" })
  .hooks({
    beforeChange: [
      ({ data, original }) => ({ ...data, body: (original?.shout.text ?? "") + (data.meta?.seo.title ?? "") }),
      ({ data, original }) => ({ ...data, meta: { seo: { title: original?.shout.text ?? "" }, tags: data.meta?.tags ?? [] } }),
      async ({ data, collections, desk }) => {
        const person = await collections.people.findOne({ with: { articles: true } })
        data.body = person?.articles[0]?.shout.text ?? (await desk.top()).title
      },
    ],
    afterChange: ({ row, queue }) => queue.ping.publish({ size: row.shout.size }),
    afterRead: ({ row }) => ({ ...row, title: \`\${row.title} \${row.shout?.size} \${row.meta?.seo.title}\` }),
    afterDelete: ({ original }) => original.shout.size + (original.meta?.tags.length ?? 0),
  })
`

const PEOPLE = `
  .hooks({
    beforeChange: async ({ data, collections, desk }) => {
      const article = await collections.articles.findOne({ with: { author: true } })
      return { ...data, bio: article?.meta?.seo.title ?? article?.shout.text ?? (await desk.top()).title }
    },
  })
`

const CIRCLE = {
  "src/services/desk.ts": `import { service } from "kit/services"

export default service({
  lifecycle: "request",
  create: ({ collections }) => ({
    top: async () => {
      const { docs } = await collections.articles.find({ with: { author: true } })
      return { title: docs[0]?.shout.text ?? "", hits: docs[0]?.meta?.tags.length ?? 0 }
    },
  }),
})
`,
  "src/routes/stats.ts": `import { route } from "kit"

export default route()
  .get()
  .handler(async ({ desk, queue }) => ({ top: await desk.top(), job: (await queue.pong.publish({ size: 1 })).id }))
`,
  "src/jobs/ping.ts": jobText("ping", "pong"),
  "src/jobs/pong.ts": jobText("pong", "ping"),
  "src/generated/queue.ts": `import type { JobPublisher } from "kit"

declare module "kit" {
  interface Queue {
    ping: JobPublisher<typeof import("../jobs/ping.js").default>
    pong: JobPublisher<typeof import("../jobs/pong.js").default>
  }
}
`,
}

function jobText(name: string, other: string): string {
  return `import { job } from "kit"
import { z } from "zod"

export default job({
  name: "${name}",
  schema: z.object({ size: z.number() }),
  handler: async ({ payload, queue, desk }) => {
    const { hits } = await desk.top()
    return queue.${other}.publish({ size: payload.size + hits })
  },
})
`
}

test("hooks, rules and computed fields know the values that the engine hands them", async () => {
  await using app = await appFolder(await newspaperFiles({ "src/hooks.ts": HOOKS, "src/_same.ts": SAME }))

  expect(await app.complaints()).toEqual([])
})

test("a hook may use what its own file computes, and files may depend on each other in a circle", async () => {
  const fixture = (name: string) =>
    readFile(new URL(`../types/newspaper/src/collections/${name}`, import.meta.url), "utf8")
  const files = {
    ...CIRCLE,
    "src/collections/articles.ts": (await fixture("articles.ts")).trimEnd() + ARTICLES,
    "src/collections/people.ts": (await fixture("people.ts")).trimEnd() + PEOPLE,
  }
  await using app = await appFolder(await newspaperFiles(files))

  // Each number of checkers looks at the files in another order.
  expect(await app.complaints("--checkers", "1")).toEqual([])
  expect(await app.complaints("--checkers", "3")).toEqual([])
})

test("before anything is generated, hooks, rules and computed fields accept every name", async () => {
  const text = `import { collection } from "kit"

export default collection("articles")
  .fields(({ f }) => ({ title: f.text(200).required(), loud: f.computed(({ row }) => row.title.toUpperCase()) }))
  .access({ create: ({ input, session }) => session !== null && input?.title !== undefined, read: () => ({ title: "x" }) })
  .hooks({
    beforeChange: ({ data, operation }) => (operation === "create" ? { ...data, slug: data.slug ?? slugify(data.title) } : data),
    afterChange: async ({ row, original, queue }) => queue["notifyTeam"]?.publish({ articleId: row.id, was: original?.title }),
  })

function slugify(text: string): string {
  return text.toLowerCase()
}
`
  await using app = await appFolder(new Map([["src/articles.ts", text]]))

  expect(await app.complaints()).toEqual([])
})
