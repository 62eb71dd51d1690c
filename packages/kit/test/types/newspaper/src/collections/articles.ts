import { collection } from "kit"

interface Meta {
  readonly seo: { readonly title: string }
  readonly tags: readonly string[]
}

export default collection("articles")
  .fields(({ f }) => ({
    title: f.text(200).required(),
    body: f.textarea().collaborative(),
    lead: f.text(300).localized(),
    heard: f.datetime().localized(),
    sources: f.json<Meta>().localized().collaborative(),
    status: f.select(["idea", "writing", "done"]).required().default("idea"),
    featured: f.boolean(),
    words: f.number().integer(),
    views: f.number().bigint().readOnly(),
    price: f.number().decimal(10, 2),
    publishedAt: f.datetime(),
    meta: f.json<Meta>(),
    contact: f.email(),
    link: f.url(),
    day: f.date(),
    opens: f.time(),
    topics: f.select(["sport", "culture"]).multiple().required().default([]),
    keywords: f.array(f.text(40)),
    moments: f.array(f.datetime()),
    place: f.object({ city: f.text().required(), since: f.datetime(), size: f.number().bigint() }),
    links: f.array(f.object({ url: f.url().required(), label: f.text() })),
    page: f.blocks({
      hero: f.block({
        heading: f.text(120).required(),
        shownAt: f.datetime(),
        big: f.boolean().required().default(false),
        face: f.relation("people"),
      }),
      quote: { text: f.textarea().required(), by: f.text(), sources: f.array(f.relation("articles")) },
      columns: { left: f.blocks({ note: { text: f.text(), team: f.relation("teams") }, rule: {} }).required() },
    }),
    cast: f.array(f.object({ role: f.text(), person: f.relation("people").required() })),
    teaser: f.blocks({ card: { person: f.relation("people") } }).localized(),
    story: f.richText().collaborative(),
    shout: f.computed(({ row }: { row: { title: string } }) => ({
      text: row.title.toUpperCase(),
      size: row.title.length,
    })),
    letters: f.virtual(f.number().integer().required(), 'length("title")'),
    author: f.relation("people").required(),
    editor: f.relation("people"),
    teams: f.relation("teams").manyToMany({ ordered: true }),
    notes: f.textarea().access({ read: ({ session }) => session !== null }),
    secret: f.text().hidden(),
  }))
  .title("title")
  .searchable({
    fields: ["body", "lead"],
    content: ({ secret, meta, author, teams }) => [secret, meta?.seo.title, author?.name, teams[0]?.name].join(" "),
    with: { author: true, teams: { columns: { name: true } } },
    facets: ["status", "featured"],
    weights: { title: 3, content: 2 },
  })
  .options({ softDelete: true, revision: true, versions: true, workflow: true })
