// Compiled, never run: a line below @ts-expect-error must not compile, every other line must.
import { type AppTypes, createClient } from "kit/client"
import { type CollaborativeDocument, type CrdtClient, createCrdtClient, type DocumentStatus } from "kit/crdt"
import type { AppConfig } from "./newspaper/src/generated/index.ts"
import { same } from "./same.ts"

const crdt = createCrdtClient(createClient<AppConfig>({ baseURL: "http://localhost:3000" }), { store: false })
declare const id: string

export function documentsOfACollection() {
  const { articles } = crdt.collections
  const body = articles.document({ id, field: "body" })
  same<typeof body, CollaborativeDocument>()
  same<typeof body.status, DocumentStatus>()
  articles.document({ id, field: "story" })
  articles.document({ id, field: "sources", locale: "sk" })
  // Without a locale, it is the client's locale.
  articles.document({ id, field: "sources" })
  // @ts-expect-error the id is missing
  articles.document({ field: "body" })
  // @ts-expect-error the articles have several collaborative fields
  articles.document({ id })
  // @ts-expect-error not a collaborative field
  articles.document({ id, field: "title" })
  // @ts-expect-error no such locale
  articles.document({ id, field: "sources", locale: "fr" })
  // @ts-expect-error the body is not localized
  articles.document({ id, field: "body", locale: "sk" })
  // @ts-expect-error no such option
  articles.document({ id, field: "body", lang: "sk" })
  // @ts-expect-error people have no collaborative fields
  crdt.collections.people
  // @ts-expect-error no global has collaborative fields
  crdt.globals.settings
}

interface SmallApp extends AppTypes {
  documents: {
    collections: { posts: { body: "en" | "sk" }; notes: { text: never } }
    globals: { about: { text: "en" | "sk" }; site: { header: never; footer: never } }
  }
}

export function theOnlyFieldNeedsNoName({ collections, globals }: CrdtClient<SmallApp>) {
  collections.posts.document({ id })
  collections.posts.document({ id, locale: "sk" })
  collections.posts.document({ id, field: "body", locale: "sk" })
  collections.notes.document({ id })
  globals.about.document()
  globals.about.document({ locale: "en" })
  globals.site.document({ field: "footer" })
  // @ts-expect-error it has another name
  collections.posts.document({ id, field: "text" })
  // @ts-expect-error the text of a note is not localized
  collections.notes.document({ id, locale: "sk" })
  // @ts-expect-error the id is missing
  collections.notes.document({})
  // @ts-expect-error a global has no id
  globals.about.document({ id })
  // @ts-expect-error the site has two collaborative fields
  globals.site.document()
}

export function withoutCollaborativeFields({ collections, globals }: CrdtClient<AppTypes>) {
  // @ts-expect-error the app has none
  collections.articles
  // @ts-expect-error the app has none
  globals.site
}

export function withoutTypes() {
  const { collections, globals } = createCrdtClient(createClient({ baseURL: "" }))
  collections["anything"]?.document({ id })
  collections["anything"]?.document({ id, field: "any", locale: "fr" })
  globals["anything"]?.document()
  globals["anything"]?.document({ field: "any" })
}
