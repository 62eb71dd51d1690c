// The app of the experiment in worlds.ts: it has every feature that hides data from a caller.
import { collection, global } from "kit"
import { blocksField } from "./blocks.ts"
import { sessions } from "./callers.ts"

type Call = { session: { user: { id: string; role?: string | undefined } } | null }
/** Names that no caller may learn; they differ between the two worlds. */
export type Names = { hidden: string; vault: string }

export const LOCALES = ["en", "sk", "cs"]
export const GENRES = ["novel", "poem", "essay"]
export const MOODS = ["dark", "light", "odd"]

const STAGES = { stages: { draft: {}, review: {}, published: {} } }
// Only system code sets the flag, and no caller reads records with it.
const UNSEALED = { isSealed: { ne: true } }

const isEditor = ({ session }: Call) => session?.user.role === "editor"
const isSomebody = ({ session }: Call) => session !== null
const isOwner = ({ session }: Call) => session !== null && { owner: session.user.id }
const isOwnerOrEditor = ({ session }: Call) => isEditor({ session }) || isOwner({ session })
const edits = ({ session }: Call) =>
  isEditor({ session }) ? UNSEALED : session !== null && { owner: session.user.id, ...UNSEALED }

function readsTasks({ session }: Call) {
  if (isEditor({ session })) return UNSEALED
  const mine = session ? [{ owner: session.user.id }, { team: inTeam(session.user.id) }] : []
  return { AND: [UNSEALED, { OR: [{ isPublic: true }, ...mine] }] }
}

const inTeam = (person: string) => ({ is: { memberships: { some: { person } } } })

const booksOf = (names: Names) =>
  collection("books")
    .fields(({ f }) => ({
      title: f.text(200).required().localized(),
      slug: f.text(100).localized().unique(),
      blurb: f.richText().localized(),
      genre: f.select(GENRES).localized(),
      moods: f.select(MOODS).multiple(),
      keywords: f.array(f.text()).localized(),
      sold: f.number().integer().localized(),
      price: f.number().decimal(10, 2),
      day: f.date(),
      facts: f.json(),
      size: f.object({ width: f.number(), unit: f.text() }),
      owner: f.text().access({ create: true, update: false }),
      isOpen: f.boolean().access({ update: false }),
      isSealed: f.boolean().hidden().readOnly(),
      [names.hidden]: f.text().localized().hidden().label(names.hidden),
      [names.vault]: f.blocks({ [names.hidden]: { text: f.text() } }).hidden(),
      body: blocksField(f).localized(),
      annex: blocksField(f).access({ read: () => ({ isOpen: true }) }),
      memo: blocksField(f).access({ read: isOwner }),
      plan: blocksField(f).localized().access({ read: isEditor }),
      remark: f
        .text()
        .localized()
        .access({ read: () => ({ isOpen: true }) }),
      diary: f.text().access({ read: isOwner }),
      cost: f.number().integer().access({ read: isEditor }).visible({ isOpen: true }),
      author: f.relation("authors").onDelete("setNull"),
      ghost: f.relation("authors").onDelete("setNull").access({ read: isEditor }),
      patron: f.relation("authors").onDelete("setNull").access({ read: isOwner }),
      sequel: f.relation("books").onDelete("setNull"),
      prequels: f.relation("books").hasMany({ via: "sequel" }),
      editions: f.relation("editions").hasMany({ via: "book" }),
      tags: f.relation("tags").manyToMany({ through: "tagging" }),
      friends: f.relation("books").manyToMany({ ordered: true }),
      cover: f.upload("media").onDelete("setNull"),
      double: f.virtual(f.number().decimal(12, 2), '"price" * 2'),
      margin: f.virtual(f.number(), '"price" - "cost"').access({ read: isEditor }),
      musing: f.virtual(f.text(), `upper("diary")`).access({ read: isOwner }),
      label: f.computed(({ row }) => `${row["title"]}, ${row["genre"]}, ${row["remark"]}, ${row["diary"]}`),
      verdict: f.computed(({ row }) => `${row["title"]}: ${row["cost"]}`).access({ read: isEditor }),
    }))
    .title("title")
    .searchable({
      fields: ["slug", "remark", "diary", "blurb", "keywords", "body", "annex", "memo"],
      facets: [
        ...["genre", "moods", "keywords", "sold", "price", "day", "owner", "isOpen", "remark", "diary"],
        ...["cost", "author", "patron"],
      ],
    })
    .list({
      columns: ["title", "cost", "diary"],
      views: [
        { label: "Dear", where: { cost: { gt: 3 } } },
        { label: "Open", where: { isOpen: true } },
      ],
    })
    .options({ workflow: STAGES, versions: { max: 4 }, softDelete: true, revision: true, id: "client" })
    .access({
      ...{ read: () => UNSEALED, create: isOwnerOrEditor, update: edits, delete: edits },
      ...{ drafts: edits, purge: edits },
    })

const authorsOf = (names: Names) =>
  collection("authors")
    .fields(({ f }) => ({
      name: f.text().required().localized(),
      code: f.text().unique(),
      [names.hidden]: f.text().hidden(),
      wage: f.number().integer().access({ read: isEditor }),
      home: f.object({ city: f.text(), zip: f.text() }),
      portrait: f.upload("media").onDelete("setNull"),
      books: f.relation("books").hasMany({ via: "author" }),
      ghosted: f.relation("books").hasMany({ via: "ghost" }),
      sponsored: f.relation("books").hasMany({ via: "patron" }),
      tasks: f.relation("tasks").hasMany({ via: "author" }),
      secrets: f.relation(names.vault).hasMany({ via: "author" }),
    }))
    .title("name")
    .searchable({ facets: ["code", "wage"] })
    .label("Authors")
    .list({ views: [{ label: names.vault, where: { secrets: { some: { text: "x" } } } }] })
    .form(({ section }) => ["name", section("Kept", ["wage", "secrets"])])
    .options({ versions: { max: 3 }, softDelete: true, revision: true, id: "client" })
    .access({ read: true, create: isSomebody, update: isSomebody, delete: isSomebody, purge: isEditor })

const tags = collection("tags")
  .fields(({ f }) => ({
    name: f.text().required().localized().unique(),
    weight: f.number().integer(),
    // Members may write only listed tags, because a write of a tag reveals that it exists.
    isListed: f.boolean().access({ create: true, update: false }),
    books: f.relation("books").manyToMany({ through: "tagging" }),
    tasks: f.relation("tasks").manyToMany({ through: "topics" }),
  }))
  .title("name")
  .searchable({ facets: ["weight"] })
  .options({ workflow: true, versions: true, revision: true, id: "client" })
  .access({
    ...{ read: true, create: isEditor, delete: isEditor, drafts: isEditor, transition: isEditor },
    update: ({ session }) => isEditor({ session }) || (session !== null && { isListed: true }),
  })

const editions = collection("editions")
  .fields(({ f }) => ({
    pages: f.number().integer(),
    book: f.relation("books").onDelete("cascade"),
    owner: f.text().access({ create: true, update: false }),
  }))
  .options({ id: "client" })
  .access({ read: true, create: isOwnerOrEditor, update: isOwnerOrEditor, delete: isOwnerOrEditor })

const teams = collection("teams")
  .fields(({ f }) => ({
    name: f.text(),
    memberships: f.relation("memberships").hasMany({ via: "team" }),
    tasks: f.relation("tasks").hasMany({ via: "team" }),
  }))
  .options({ id: "client" })
  .access({ read: true })

const memberships = collection("memberships")
  .fields(({ f }) => ({ person: f.text(), team: f.relation("teams").onDelete("cascade") }))
  .access({ read: isEditor })

const tasksOf = (names: Names) =>
  collection("tasks")
    .fields(({ f }) => ({
      name: f.text().required(),
      code: f.text().unique(),
      body: f.textarea().localized(),
      rank: f.number().integer(),
      isPublic: f.boolean().default(false),
      owner: f.text().access({ create: true, update: false }),
      isSealed: f.boolean().hidden().readOnly(),
      [names.hidden]: f.text().hidden(),
      remark: f.text().access({ read: isOwner }),
      wage: f.number().integer().access({ read: isEditor }),
      team: f.relation("teams").onDelete("setNull"),
      author: f.relation("authors").onDelete("setNull"),
      parent: f.relation("tasks").onDelete("setNull"),
      keeper: f.relation("tasks").onDelete("setNull").access({ read: isOwner }),
      children: f.relation("tasks").hasMany({ via: "parent" }),
      kept: f.relation("tasks").hasMany({ via: "keeper" }),
      watchers: f.relation("tasks").manyToMany({ ordered: true }),
      allies: f.relation("tasks").manyToMany({ ordered: true }).access({ read: isOwner }),
      guests: f.relation("tasks").manyToMany().access({ read: isEditor }),
      tags: f.relation("tags").manyToMany({ through: "topics", ordered: true }),
      book: f.relation("books").onDelete("setNull"),
      file: f.upload("media").onDelete("setNull"),
      share: f.virtual(f.number(), '100.0 / "rank"'),
      label: f.computed(({ row }) => `${row["name"]}, ${row["remark"]}`),
      cue: f.computed(({ row }) => `${row["name"]}!`).access({ read: ({ session }) => session !== null }),
    }))
    .title("name")
    .searchable({ fields: ["body", "remark"], facets: ["rank", "isPublic", "team", "wage", "owner", "remark"] })
    .options({ softDelete: true, revision: true, versions: { max: 5 } })
    .access({ read: readsTasks, create: isOwnerOrEditor, update: edits, delete: edits, purge: edits })
    .hooks({
      beforeRead: () => {},
      // Depends on the fields that the caller reads, and on the caller.
      afterRead: ({ row, session }) => ({ ...row, seen: `${Object.keys(row).length} by ${session?.user.id}` }),
    })

const media = collection("media")
  .fields(({ f }) => ({
    caption: f.text().localized(),
    owner: f.text().access({ create: true, update: false }),
    isShown: f.boolean(),
  }))
  .upload({ maxSize: 64 * 1024 })
  .access({
    read: ({ session }) =>
      isEditor({ session }) || { OR: [{ isShown: true }, ...(session ? [{ owner: session.user.id }] : [])] },
    ...{ create: isOwnerOrEditor, update: isOwnerOrEditor, delete: isOwnerOrEditor },
  })

const shelves = collection("shelves")
  .fields(({ f }) => ({ room: f.text(), boxes: f.relation("boxes").hasMany({ via: "shelf" }) }))
  .options({ id: "client" })
  .access({ read: true, create: isSomebody, update: isSomebody, delete: isSomebody })

const boxes = collection("boxes")
  .fields(({ f }) => ({ label: f.text(), shelf: f.relation("shelves") }))
  .options({ id: "client" })
  .access({ read: true, create: isSomebody, update: isSomebody, delete: isSomebody })

const shown = { read: () => ({ isShown: true }) }
const PILES = { stones: { read: true }, gravel: shown, pebbles: { read: true } } as const

/**
 * Collections with so many records that their totals can be estimated. One world has more stones that are deleted and
 * more gravel that a rule hides. Pebbles differ in hidden values alone.
 */
const pilesOf = (names: Names) =>
  Object.entries(PILES).map(([name, rules]) =>
    collection(name)
      .fields(({ f }) => ({
        size: f.number().integer(),
        hue: f.select(GENRES),
        isShown: f.boolean(),
        isLight: f.boolean(),
        weight: f
          .number()
          .integer()
          .access({ read: () => ({ isLight: true }) }),
        [names.hidden]: f.text().hidden(),
      }))
      .options({ softDelete: name === "stones", timestamps: false, id: "client" })
      .access(rules),
  )

/** No caller reads this collection. */
const vaultOf = ({ vault }: Names) =>
  collection(vault)
    .fields(({ f }) => ({
      text: f.text(),
      shelf: f.relation("shelves"),
      author: f.relation("authors").onDelete("cascade"),
      book: f.relation("books").onDelete("setNull"),
      task: f.relation("tasks").onDelete("setNull"),
    }))
    .searchable({ fields: ["text"] })
    .options({ versions: true })

/** A write here reaches every stream once all earlier writes have been processed. */
const beacons = collection("beacons")
  .fields(({ f }) => ({ count: f.number().integer() }))
  .options({ id: "client" })
  .access({ read: true })

const homeOf = (names: Names) =>
  global("home")
    .fields(({ f }) => ({
      motto: f.text().required().localized(),
      lead: f.relation("books").onDelete("setNull"),
      pick: f.relation("tasks").onDelete("setNull"),
      [names.hidden]: f.text().hidden(),
      budget: f.text().access({ read: isEditor }),
    }))
    .options({ workflow: STAGES, versions: { max: 3 }, revision: true })
    .access({ read: true, update: isEditor })

const settingsOf = (names: Names) =>
  global("settings")
    .fields(({ f }) => ({
      name: f.text().localized(),
      task: f.relation("tasks").onDelete("setNull"),
      isOpen: f.boolean().access({ update: false }),
      [names.hidden]: f.text().hidden(),
      remark: f.text().access({ read: () => ({ isOpen: true }), update: isEditor }),
      budget: f.number().access({ read: isEditor, update: isEditor }),
    }))
    .options({ versions: { max: 4 }, revision: true })
    .access({ read: true, update: isSomebody })

/** Returns the options for `testApp`. A computed field with a rule is included only on request. */
export function modelOf({ names, now }: { names: Names; now: () => Date }) {
  return {
    collections: [
      ...[booksOf(names), authorsOf(names), tags, editions, teams, memberships],
      ...[tasksOf(names), media, shelves, boxes, ...pilesOf(names), vaultOf(names), beacons],
    ],
    globals: [homeOf(names), settingsOf(names)],
    now,
    config: {
      secret: "a secret of 32 characters or more",
      sessions,
      locales: { default: "en", all: LOCALES, fallback: { sk: ["cs"] } },
      limits: { rate: false as const },
      logger: { info: () => {}, warn: () => {}, error: () => {} },
      realtime: { topicsPerConnection: 1_000, connectionsPerUser: 1_000, connectionsPerAddress: 1_000 },
    },
  }
}
