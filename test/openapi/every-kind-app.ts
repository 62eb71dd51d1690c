import { channel, collection, global, type KitConfig, route } from "kit"
import { testApp } from "kit/testing"
import { z } from "zod"

const OPEN = { read: true, create: true, update: true, delete: true, purge: true } as const

/** A collection with every type of field, and with every option. */
const things = collection("things")
  .fields(({ f }) => ({
    name: f.text(40).required().trim().min(1).localized(),
    slug: f.text().unique().lowercase(),
    body: f.textarea(),
    mail: f.email(),
    site: f.url(),
    count: f.number().integer().min(0),
    big: f.number().bigint(),
    share: f.number(),
    price: f.number().decimal(10, 2),
    isOn: f.boolean().required().default(false),
    day: f.date(),
    at: f.datetime(),
    hour: f.time(),
    color: f.select(["red", "green"]),
    colors: f.select(["red", "green"]).multiple(),
    extra: f.json(),
    size: f.object({ width: f.number().required(), unit: f.text() }),
    words: f.array(f.text(20)),
    boxes: f.array(f.object({ label: f.text().required() })),
    page: f.blocks({ hero: { heading: f.text().required(), at: f.datetime() }, rule: {} }),
    text: f.richText().collaborative(),
    parent: f.relation("things"),
    children: f.relation("things").hasMany({ via: "parent" }),
    labels: f.relation("labels").manyToMany(),
    picture: f.upload("pictures"),
    shout: f.computed(({ row }) => String(row["slug"] ?? "").toUpperCase()),
    secret: f.text().hidden(),
    writeOnly: f.text().access({ read: false }),
    readOnly: f.text().readOnly(),
  }))
  .title("name")
  .options({
    softDelete: true,
    revision: true,
    versions: true,
    workflow: { stages: { draft: {}, shown: {} }, public: "shown" },
  })
  .access(OPEN)

const labels = collection("labels")
  .fields(({ f }) => ({ name: f.text().required() }))
  .options({ id: "client", timestamps: false })
  .access(OPEN)

const pictures = collection("pictures")
  .fields(({ f }) => ({ alt: f.text() }))
  .upload({})
  .access(OPEN)

/** Resources whose names differ in the case of a letter, or in nothing but their kind. */
const capitals = collection("Labels")
  .fields(({ f }) => ({ note: f.text() }))
  .access(OPEN)
const sameName = global("labels")
  .fields(({ f }) => ({ note: f.text(), memo: f.textarea().collaborative(), thing: f.relation("things") }))
  .options({ revision: true, versions: true, workflow: { stages: { draft: {}, shown: {} }, public: "shown" } })
  .access({ read: true, update: true })

const tree: z.ZodType = z.object({
  name: z.string(),
  get children() {
    return z.array(tree)
  },
})

const routes = {
  "trees/[tree]": route("/trees/[tree]")
    .post()
    .schema(tree)
    .output(tree)
    .handler(({ input }) => input),
  "trees/[other]/index": route("/trees/[other]")
    .get()
    .handler(({ params }) => params),
  finder: route()
    .get()
    .schema(
      z.object({
        words: z.string(),
        page: z.coerce.number().optional(),
        range: z.object({ from: z.string() }).optional(),
      }),
    )
    .handler(({ input }) => input),
  "echo/[...rest]": route("/echo/[...rest]")
    .raw()
    .handler(({ params }) => new Response(params.rest)),
  plain: route().handler(() => null),
  "transformed-input": route()
    .schema(z.string().transform((text) => new Date(text)))
    .output(z.date().transform(String))
    .handler(({ input }) => input),
  "for-admins": route()
    .access(({ session }) => session?.user.role === "admin")
    .handler(() => null),
}

const room = channel("room-[id]")
  .events({ said: z.object({ text: z.string() }) })
  .access({ subscribe: true, publish: true })

/** Starts an app that has a resource, a field, a route and an option of every kind. */
export function everyKindApp(config: KitConfig = {}) {
  return testApp({
    collections: [things, labels, pictures, capitals],
    globals: [sameName],
    routes,
    channels: { room },
    mode: "development",
    config: { locales: { default: "en", all: ["en", "sk"] }, ...config },
  })
}
