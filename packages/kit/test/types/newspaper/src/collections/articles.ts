import { collection } from "kit"

interface Meta {
  readonly seo: { readonly title: string }
  readonly tags: readonly string[]
}

export default collection("articles").fields(({ f }) => ({
  title: f.text(200).required(),
  body: f.textarea(),
  status: f.select(["idea", "writing", "done"]).required().default("idea"),
  featured: f.boolean(),
  words: f.number().integer(),
  views: f.number().bigint().readOnly(),
  price: f.number().decimal(10, 2),
  publishedAt: f.datetime(),
  meta: f.json<Meta>(),
  author: f.relation("people").required(),
  editor: f.relation("people"),
  teams: f.relation("teams").manyToMany(),
  notes: f.textarea().access({ read: ({ session }) => session !== null }),
  secret: f.text().hidden(),
}))
