import { collection, global, type Session } from "kit"

/** The collections for attacks: secrets, owners, rows that no caller can read. */
export const members = collection("members")
  .fields(({ f }) => ({
    name: f.text(80).required(),
    role: f.select(["member", "admin"]).required().default("member").access({ create: isAdmin, update: isAdmin }),
    passwordHash: f.text().hidden(),
    resetToken: f.text().access({ read: isAdmin }),
  }))
  .title("name")
  .access({
    read: ({ session }) => session && (isAdmin({ session }) || { id: session.user.id }),
    create: isAdmin,
    update: ({ session }) => session && (isAdmin({ session }) || { id: session.user.id }),
    delete: isAdmin,
  })

export const audit = collection("audit").fields(({ f }) => ({ ip: f.text().required() }))

export const posts = collection("posts")
  .fields(({ f }) => ({
    title: f.text(200).required().localized(),
    body: f.textarea().localized(),
    meta: f.json<Record<string, unknown>>(),
    views: f.number().integer().default(0),
    publishedAt: f.datetime(),
    secretNote: f.text().hidden(),
    author: f.relation("members"),
    audit: f.relation("audit"),
  }))
  .title("title")
  .searchable({ fields: ["body"] })
  .access({ read: true, create: isSignedIn, update: isSignedIn, delete: isAdmin })

export const notes = collection("notes")
  .fields(({ f }) => ({ text: f.text(500).required(), owner: f.relation("members").required() }))
  .access({ read: ownRows, create: ownRows, update: ownRows, delete: ownRows })

export const settings = global("settings")
  .fields(({ f }) => ({ siteName: f.text(80).required(), apiKey: f.text().hidden() }))
  .access({ read: true, update: isAdmin })

export const fixture = [members, audit, posts, notes, settings] as const

function isAdmin({ session }: { session: Session | null }): boolean {
  return session?.user.role === "admin"
}

function isSignedIn({ session }: { session: Session | null }): boolean {
  return session !== null
}

function ownRows({ session }: { session: Session | null }) {
  return session && { owner: session.user.id }
}
