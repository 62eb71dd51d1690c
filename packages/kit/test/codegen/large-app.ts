const AREAS = [
  ...["sales", "stock", "staff", "travel", "school", "clinic", "legal", "press", "music", "sport"],
  ...["energy", "hotel", "garden", "bank", "museum", "farm", "harbour", "film", "games", "city"],
]
const THINGS = [
  ...["Orders", "Items", "Notes", "Teams", "Events"],
  ...["Reports", "Offers", "Places", "Groups", "Plans"],
]

export const LARGE_APP = { collections: AREAS.length * THINGS.length, routes: 50, jobs: 20 } as const

const NAMES = AREAS.flatMap((area) => THINGS.map((thing) => area + thing))

/** The files of an app with 200 collections, as an author would write them; the same ones on every run. */
export function largeAppFiles(): ReadonlyMap<string, string> {
  return new Map([
    ["src/_rules.ts", RULES],
    ["src/_schemas.ts", SCHEMAS],
    ...NAMES.map((name, index) => [`src/collections/${name}.ts`, collectionText(name, index)] as const),
    ...countTo(LARGE_APP.routes).map((index) => [`src/routes/${routePath(index)}.ts`, routeText(index)] as const),
    ...countTo(LARGE_APP.jobs).map((index) => [`src/jobs/${jobKey(index)}.ts`, jobText(index)] as const),
    ["src/services/clock.ts", SERVICE],
    ["src/globals/settings.ts", SETTINGS],
    ["src/client.ts", clientText()],
  ])
}

/** The same app, with a list of blocks in each collection and a list of blocks in some of the blocks. */
export function largeAppOfBlocksFiles(): ReadonlyMap<string, string> {
  const files = NAMES.map((name, index) => [`src/collections/${name}.ts`, blocksCollectionText(name, index)] as const)
  return new Map([...largeAppFiles(), ...files, ["src/client.ts", blocksClientText()]])
}

const RULES = `import type { HandlerContext } from "kit"

export const isSignedIn = ({ session }: HandlerContext) => session !== null

export const isAdmin = ({ session }: HandlerContext) => session?.user.role === "admin"

export function slugify(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")
}
`

// An app of this size says once what many of its routes and jobs take.
const SCHEMAS = `import { z } from "zod"

export const closing = z.object({ ids: z.array(z.uuid()).min(1), note: z.string().optional() })

export const counting = z.object({ status: z.enum(["draft", "done"]), limit: z.coerce.number().default(5) })

export const telling = z.object({ id: z.uuid(), at: z.coerce.date() })
`

const SERVICE = `import { service } from "kit/services"

export default service({ lifecycle: "singleton", create: () => ({ now: () => new Date() }) })
`

const SETTINGS = `import { global } from "kit"

export default global("settings")
  .fields(({ f }) => ({ name: f.text(80).required(), theme: f.json<{ dark: boolean }>() }))
  .access({ read: true })
`

// Every collection has the first fields; the others take turns, so that no two neighbours look alike.
const FIRST_FIELDS = [
  "title: f.text(200).required().trim().min(1)",
  "slug: f.text(120).required().unique()",
  'owner: f.relation("users").required()',
]

const MORE_FIELDS = [
  "body: f.textarea()",
  "startsAt: f.datetime()",
  "amount: f.number().decimal(12, 2)",
  "count: f.number().integer().min(0).default(0)",
  "isPublic: f.boolean().required().default(false)",
  "day: f.date()",
  "contact: f.email()",
  "link: f.url()",
  "size: f.number().bigint()",
  "meta: f.json<{ source: string; tags: string[] }>()",
  'topics: f.select(["red", "green", "blue"]).multiple()',
  "address: f.object({ street: f.text().required(), city: f.text().required(), zip: f.text(10) })",
  "keywords: f.array(f.text(40))",
  "secret: f.text().hidden()",
  "notes: f.textarea().access({ read: isSignedIn })",
  "story: f.richText()",
  "opens: f.time()",
]

function collectionText(name: string, index: number): string {
  const fields = [
    ...FIRST_FIELDS,
    statusOf(index),
    ...turnOf(MORE_FIELDS, index),
    ...relationsOf(index),
    ...computedOf(index),
  ]
  return `import { collection } from "kit"
import { isAdmin, isSignedIn, slugify } from "../_rules.ts"

export default collection("${name}")
  .fields(({ f }) => ({
${fields.map((line) => `    ${line},\n`).join("")}  }))
  .title("title")
  .access({ read: ${READ_RULES[index % READ_RULES.length]}, create: isSignedIn, update: isSignedIn, delete: isAdmin })
${index % 4 === 0 ? hooksText(index) : ""}  .options({ revision: ${index % 2 === 0}, softDelete: ${index % 3 === 0} })

export const slugOf = slugify
`
}

// Each collection has five of these blocks, so that no two neighbours have the same ones.
const BLOCKS = [
  "hero: { heading: f.text(120).required(), opensAt: f.datetime(), link: f.url() }",
  'quote: f.block({ text: f.textarea().required(), by: f.text(80) }).label("Quote").icon("quote")',
  "gallery: { pictures: f.array(f.object({ link: f.url().required(), alt: f.text() })).required(), columns: f.number().integer() }",
  "text: { text: f.richText().required() }",
  'notice: { text: f.text(200).required(), tone: f.select(["info", "warning"]).required().default("info") }',
  "price: { amount: f.number().decimal(12, 2).required(), until: f.date(), isNet: f.boolean() }",
  "columns: { parts: f.blocks({ text: { text: f.richText().required() }, quote: { text: f.textarea(), by: f.text() } }).min(1).max(3) }",
  "rule: {}",
]
const BLOCKS_OF_EACH = 5

function blocksCollectionText(name: string, index: number): string {
  const blocks = countTo(BLOCKS_OF_EACH).map((step) => BLOCKS[(index + step) % BLOCKS.length])
  const field = `    sections: f.blocks({\n${blocks.map((block) => `      ${block},\n`).join("")}    }).max(50),\n`
  return collectionText(name, index).replace(".fields(({ f }) => ({\n", (start) => `${start}${field}`)
}

const READ_RULES = ["true", "isSignedIn", "({ session }) => session && { owner: session.user.id }", "isAdmin"]

function statusOf(index: number): string {
  const area = AREAS[Math.floor(index / THINGS.length)]
  return `status: f.select(["draft", "done", "${area}"]).required().default("draft")`
}

function hooksText(index: number): string {
  return `  .hooks({
    beforeChange: ({ data, operation }) =>
      operation === "create" ? { ...data, slug: data.slug ?? slugify(data.title) } : data,
    afterChange: async ({ row, original, queue, clock }) => {
      if (row.status === "done" && original?.status !== "done") {
        await queue.${jobKey(index % LARGE_APP.jobs)}.publish({ id: row.id, at: clock.now().toISOString() })
      }
    },
  })
`
}

function turnOf(lines: readonly string[], index: number): string[] {
  const count = 6 + (index % 7)
  return countTo(count)
    .flatMap((step) => lines[(index + step * 3) % lines.length] ?? [])
    .filter(isFirst)
}

function isFirst(line: string, index: number, lines: readonly string[]): boolean {
  return lines.indexOf(line) === index
}

function relationsOf(index: number): string[] {
  return [
    `parent: f.relation("${nameAt(index - 1)}").onDelete("setNull")`,
    `related: f.relation("${nameAt(index + 7)}")`,
    `children: f.relation("${nameAt(index + 1)}").hasMany({ via: "parent" })`,
    ...(index % 4 === 0 ? [`linked: f.relation("${nameAt(index + 31)}").manyToMany()`] : []),
  ]
}

function computedOf(index: number): string[] {
  return index % 20 === 0 ? ['summary: f.computed(({ row }) => row.title + " " + row.status)'] : []
}

function routePath(index: number): string {
  return index % 2 === 0 ? `${nameAt(index * 4)}/close` : `stats/${nameAt(index * 4)}`
}

function routeText(index: number): string {
  return index % 2 === 0 ? closingRoute(nameAt(index * 4)) : countingRoute(nameAt(index * 4))
}

function closingRoute(name: string): string {
  return `import { route } from "kit"
import { isSignedIn } from "../../_rules.ts"
import { closing } from "../../_schemas.ts"

export default route()
  .schema(closing)
  .access(isSignedIn)
  .handler(({ input, transaction }) =>
    transaction(async ({ collections }) => {
      const closed = await collections.${name}.updateMany({ where: { id: { in: input.ids } }, data: { status: "done" } })
      return { closed: closed.map(({ id }) => id) }
    }),
  )
`
}

function countingRoute(name: string): string {
  return `import { route } from "kit"
import { counting } from "../../_schemas.ts"

export default route()
  .get()
  .schema(counting)
  .handler(async ({ input, collections }) => {
    const page = await collections.${name}.find({ where: { status: input.status }, limit: input.limit })
    return { total: page.totalDocs, titles: page.docs.map(({ title }) => title) }
  })
`
}

function jobKey(index: number): string {
  return `tell${nameAt(index * 10 + 3).replace(/^./, (letter) => letter.toUpperCase())}`
}

// Each one publishes the next one, and the last one the first.
function jobText(index: number): string {
  return `import { job } from "kit"
import { telling } from "../_schemas.ts"

export default job({
  name: "tell-${index}",
  schema: telling,
  handler: async ({ payload, collections, queue, attempt }) => {
    const found = await collections.${nameAt(index * 10 + 3)}.findOne({ where: { id: payload.id } })
    if (found?.status === "done" && attempt === 1) await queue.${jobKey((index + 1) % LARGE_APP.jobs)}.publish({ id: found.id, at: payload.at })
  },
})
`
}

function clientText(): string {
  const calls = countTo(6).map((step) => callsText(step * 30))
  return `import { createClient } from "kit/client"
import type { AppConfig } from "./generated/index.ts"

const client = createClient<AppConfig>({ baseURL: "http://localhost:3000" })
${calls.join("")}`
}

function blocksClientText(): string {
  const calls = countTo(6).map((step) => blocksCallsText(step * 32))
  return `${clientText()}${calls.join("")}`
}

// The blocks of the collections at these places begin with the first ones.
function blocksCallsText(index: number): string {
  const name = nameAt(index)
  return `
export async function ${name}Sections(id: string): Promise<string> {
  const page = await client.collections.${name}.find({
    where: { sections: { some: { type: "quote", by: { contains: "A" } }, none: { type: { in: ["hero", "text"] } } } },
  })
  await client.collections.${name}.updateById({
    id,
    data: { sections: [{ type: "hero", heading: "A" }, { type: "gallery", pictures: [{ link: "https://example.com" }] }] },
  })
  const texts = page.docs[0]?.sections?.map((block) => {
    switch (block.type) {
      case "hero":
        return block.heading
      case "gallery":
        return block.pictures[0]?.alt
      case "notice":
        return block.tone
      default:
        return block.type
    }
  })
  return String(texts)
}
`
}

function callsText(index: number): string {
  const name = nameAt(index)
  return `
export async function ${name}(id: string): Promise<string> {
  const page = await client.collections.${name}.find({
    where: { status: "draft", owner: { is: { name: { startsWith: "A" } } } },
    with: { owner: { columns: { name: true } }, children: { limit: 3, orderBy: { createdAt: "desc" } } },
    orderBy: { updatedAt: "desc" },
    limit: 20,
  })
  const short = await client.collections.${name}.findOne({ where: { id }, columns: { title: true, slug: true } })
  const groups = await client.collections.${name}.find({ groupBy: "status" })
  const created = await client.collections.${name}.create({ title: "A", slug: "a", owner: id, parent: { connect: { id } } })
  await client.collections.${name}.updateById({ id: created.id, data: { status: "done" } })
  const child: string | undefined = page.docs[0]?.children[0]?.title
  return [page.docs[0]?.owner?.name, short?.slug, groups.groups[0]?.value, child].join()
}
`
}

function nameAt(index: number): string {
  return NAMES[(index + NAMES.length) % NAMES.length] ?? ""
}

function countTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index)
}
