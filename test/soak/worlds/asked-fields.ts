// The names that random requests use: the fields of each collection with their kinds, and its relations.

export type Kind = "text" | "number" | "flag" | "genre" | "moods" | "list" | "json" | "date" | "blocks" | "id" | "none"

interface AskedNames {
  readonly fields: Record<string, Kind>
  readonly one: Record<string, string>
  readonly many: Record<string, string>
}

const PILE: AskedNames = {
  fields: { size: "number", weight: "number", hue: "genre", isLight: "flag", note: "text", titles: "text", id: "id" },
  one: {},
  many: {},
}

// Some callers may not use some of these names, no caller the hidden ones, and a few are misspelled.
export const ASKED: Readonly<Record<string, AskedNames>> = {
  books: {
    fields: {
      ...{ title: "text", slug: "text", remark: "text", diary: "text", musing: "text", owner: "text", stage: "text" },
      ...{ genre: "genre", moods: "moods", keywords: "list", facts: "json", size: "json", day: "date", id: "id" },
      ...{ sold: "number", price: "number", cost: "number", margin: "number", double: "number", revision: "number" },
      ...{ isOpen: "flag", isSealed: "flag", createdAt: "date", updatedAt: "date", deletedAt: "date" },
      ...{ note: "text", titles: "text", titel: "text", label: "none", verdict: "none", blurb: "json" },
      ...{ body: "blocks", annex: "blocks", memo: "blocks", plan: "blocks", vault: "blocks" },
      changedSincePublished: "flag",
    },
    one: { author: "authors", ghost: "authors", patron: "authors", sequel: "books", cover: "media" },
    many: { prequels: "books", editions: "editions", tags: "tags", friends: "books" },
  },
  authors: {
    fields: {
      name: "text",
      note: "text",
      titles: "text",
      code: "text",
      wage: "number",
      home: "json",
      revision: "number",
    },
    one: { portrait: "media" },
    many: { books: "books", ghosted: "books", sponsored: "books", tasks: "tasks", secrets: "vault" },
  },
  tags: {
    fields: {
      name: "text",
      id: "id",
      stage: "text",
      weight: "number",
      isListed: "flag",
      changedSincePublished: "flag",
      updatedAt: "date",
      revision: "number",
    },
    one: {},
    many: { books: "books", tasks: "tasks" },
  },
  editions: { fields: { pages: "number", id: "id", owner: "text" }, one: { book: "books" }, many: {} },
  tasks: {
    fields: {
      ...{ name: "text", code: "text", body: "text", remark: "text", note: "text", titles: "text", owner: "text" },
      ...{ rank: "number", wage: "number", revision: "number", share: "number", isPublic: "flag", isSealed: "flag" },
      ...{ createdAt: "date", deletedAt: "date", id: "id", label: "none", cue: "none" },
    },
    one: {
      ...{ team: "teams", author: "authors", parent: "tasks", keeper: "tasks", book: "books", file: "media" },
    },
    many: { children: "tasks", kept: "tasks", watchers: "tasks", allies: "tasks", guests: "tasks", tags: "tags" },
  },
  teams: { fields: { name: "text", id: "id" }, one: {}, many: { memberships: "memberships", tasks: "tasks" } },
  memberships: { fields: { person: "text", id: "id" }, one: { team: "teams" }, many: {} },
  media: {
    fields: { caption: "text", owner: "text", isShown: "flag", filename: "text", size: "number", checksum: "text" },
    one: {},
    many: {},
  },
  shelves: { fields: { room: "text", id: "id" }, one: {}, many: { boxes: "boxes" } },
  boxes: { fields: { label: "text", id: "id" }, one: { shelf: "shelves" }, many: {} },
  vault: { fields: { text: "text", id: "id" }, one: { author: "authors" }, many: {} },
  stones: PILE,
  gravel: PILE,
  pebbles: PILE,
}
