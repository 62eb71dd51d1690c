import { collection, global, type Session } from "kit"

/** Everything that hides something, in one model: locales, stages, versions, deleted records, hidden and ruled fields. */
export const LOCALES = ["en", "sk", "cs"] as const

export const locales = { default: "en", all: LOCALES, fallback: { sk: ["cs"] } }

export const bob: Session = { user: { id: "bob", role: "member" } }

type Call = { session: Session | null }
const isEditor = ({ session }: Call) => session?.user.role === "editor"
const isSomebody = ({ session }: Call) => session !== null
const isOwner = ({ session }: Call) => isEditor({ session }) || (session !== null && { owner: session.user.id })

export const GENRES = ["novel", "poem", "essay"] as const
const STAGES = { stages: { draft: {}, review: {}, published: {} } }

const books = collection("books")
  .fields(({ f }) => ({
    title: f.text(200).required().localized(),
    slug: f.text(100).localized().unique(),
    blurb: f.richText().localized(),
    genre: f.select(GENRES).localized(),
    keywords: f.array(f.text()).localized(),
    sold: f.number().integer().localized(),
    owner: f.text(),
    isOpen: f.boolean().localized(),
    note: f.text().localized().hidden(),
    remark: f
      .text()
      .localized()
      .access({ read: () => ({ isOpen: true }) }),
    cost: f.number().access({ read: isEditor }),
    author: f.relation("authors").onDelete("setNull"),
    ghost: f.relation("authors").onDelete("setNull").access({ read: isEditor }),
    sequel: f.relation("books").onDelete("setNull"),
    prequels: f.relation("books").hasMany({ via: "sequel" }),
    editions: f.relation("editions").hasMany({ via: "book" }),
    tags: f.relation("tags").manyToMany({ through: "tagging" }),
    friends: f.relation("books").manyToMany(),
    label: f.computed(({ row }) => `${row["title"]}, ${row["genre"]}, ${row["remark"]}`),
  }))
  .title("title")
  .searchable({ fields: ["slug", "remark"] })
  .options({ workflow: STAGES, versions: { max: 4 }, softDelete: true, revision: true, id: "client" })
  .access({ read: true, update: isOwner, delete: isOwner, drafts: isOwner })

const authors = collection("authors")
  .fields(({ f }) => ({
    name: f.text().required().localized(),
    email: f.text().hidden(),
    books: f.relation("books").hasMany({ via: "author" }),
    ghosted: f.relation("books").hasMany({ via: "ghost" }),
  }))
  .title("name")
  .options({ versions: { max: 3 }, softDelete: true, revision: true, id: "client" })
  .access({ read: true, update: isSomebody, delete: isEditor })

const tags = collection("tags")
  .fields(({ f }) => ({
    name: f.text().required().localized().unique(),
    books: f.relation("books").manyToMany({ through: "tagging" }),
  }))
  .title("name")
  .options({ workflow: true, versions: true, revision: true, id: "client" })
  .access({ read: true, update: isSomebody, drafts: isEditor })

const editions = collection("editions")
  .fields(({ f }) => ({ pages: f.number().integer(), book: f.relation("books").onDelete("cascade") }))
  .options({ id: "client" })
  .access({ read: true })

const home = global("home")
  .fields(({ f }) => ({
    motto: f.text().required().localized(),
    lead: f.relation("books").onDelete("setNull"),
    plan: f.text().hidden(),
    budget: f.text().access({ read: isEditor }),
  }))
  .options({ workflow: STAGES, versions: { max: 3 }, revision: true })
  .access({ read: true, update: isEditor })

export const publishingHouse = [books, authors, tags, editions, home]
