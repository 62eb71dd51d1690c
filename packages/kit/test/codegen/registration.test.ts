import { readFile } from "node:fs/promises"
import { expect, test } from "vitest"
import type { ResourceDefinition } from "../../src/schema/definition.ts"
import { users } from "../../src/schema/users.ts"
import { appFolder } from "./app-folder.ts"
import { generateNewspaper } from "./newspaper.ts"

// What the text of USERS declares.
const extendedUsers = users().fields(({ f }) => ({
  theme: f.select(["light", "dark"]).required().default("light"),
  layout: f.json<{ columns: number }>(),
  note: f.text().hidden(),
}))

const AUTHORED = ["collections/articles.ts", "collections/people.ts", "collections/teams.ts", "globals/settings.ts"]

const RULES = `import { collection, type App, type AppApi } from "kit"

export const valid = collection("articles").access({
  read: ({ session }) => session !== null && { status: "done", author: { is: { name: { startsWith: "A" } } } },
  update: async ({ collections, globals }) => {
    const one = await collections.articles.findOne({ with: { author: { columns: { name: true } } } })
    const settings = await globals.settings.get()
    return one?.author?.name === settings?.siteName
  },
})

export const unknownField = collection("articles").access({
  // @ts-expect-error no such field
  read: () => ({ titel: "x" }),
})

export const unknownOperator = collection("articles").access({
  // @ts-expect-error no such operator
  read: () => ({ title: { startswith: "x" } }),
})

export const unknownCollection = collection("articles").access({
  // @ts-expect-error no such collection
  read: async ({ collections }) => (await collections.artikles.count()) > 0,
})

export async function inProcess(app: App, api: AppApi): Promise<string> {
  const page = await app.system.collections.people.find({ with: { team: true } })
  // @ts-expect-error no such field
  await api.collections.people.create({ nmae: "x" })
  return page.docs[0]?.team?.name ?? ""
}
`

test("the registration types rules and in-process calls, with no import and no type argument", async () => {
  await using app = await newspaperFolder({ "src/rules.ts": RULES })

  expect(await app.complaints()).toEqual([])
})

test("what the registration refuses is refused where it stands in the file", async () => {
  const unmarked = RULES.replaceAll(/^.*@ts-expect-error.*$/gm, "")
  await using app = await newspaperFolder({ "src/rules.ts": unmarked })

  const complaints = await app.complaints()

  const places = complaints.flatMap((line) => /^src\/rules\.ts\((\d+),/.exec(line)?.[1] ?? [])
  expect(places.map(Number)).toEqual(linesAfterMarks(RULES))
})

const USERS = `import { users } from "kit"

export default users().fields(({ f }) => ({
  theme: f.select(["light", "dark"]).required().default("light"),
  layout: f.json<{ columns: number }>(),
  note: f.text().hidden(),
}))
`

const SESSIONS = `import { collection, users } from "kit"

export const valid = collection("articles").access({
  read: ({ session }) => session?.user.role === "editor" || session?.user.theme === "dark",
  update: ({ session }) => session && { author: session.user.id, title: { startsWith: session.user.name } },
  create: ({ session }) => (session?.user.layout?.columns ?? 0) > 1 && session?.user.createdAt instanceof Date,
})

export const unknownClaim = collection("articles").access({
  // @ts-expect-error no such field
  read: ({ session }) => session?.user.roel === "editor",
})

export const unknownChoice = collection("articles").access({
  // @ts-expect-error no such option
  read: ({ session }) => session?.user.theme === "drak",
})

export const hidden = collection("articles").hooks({
  // @ts-expect-error a hidden field
  afterChange: ({ session }) => console.log(session?.user.note),
})

export const rules = users().access({ read: () => ({ theme: "dark" }) }).privateAccess({ email: true })

// @ts-expect-error no private field
export const notPrivate = users().privateAccess({ name: true })
`

test("the user of a session has the fields of identity and the author's, and no others", async () => {
  const files = { "src/collections/users.ts": USERS, "src/sessions.ts": SESSIONS }
  await using app = await appFolder(await newspaperFiles(files, [extendedUsers.definition]))

  expect(await app.complaints()).toEqual([])
})

function linesAfterMarks(text: string): number[] {
  return text.split("\n").flatMap((line, index) => (line.includes("@ts-expect-error") ? [index + 2] : []))
}

async function newspaperFolder(more: Record<string, string>) {
  return appFolder(await newspaperFiles(more))
}

async function newspaperFiles(more: Record<string, string>, definitions: readonly ResourceDefinition[] = []) {
  const files = new Map(Object.entries(more))
  for (const [name, text] of generateNewspaper(definitions)) files.set(`src/generated/${name}`, text)
  for (const name of AUTHORED) {
    files.set(`src/${name}`, await readFile(new URL(`../types/newspaper/src/${name}`, import.meta.url), "utf8"))
  }
  return files
}
