import { readFile } from "node:fs/promises"
import { describe, expect, test } from "vitest"
import { generateFiles } from "../../src/cli/codegen/generate-files.ts"
import { CollectionSteps, collection } from "../../src/schema/builders/collection.ts"
import { ResourceSteps } from "../../src/schema/builders/definition.ts"
import { global } from "../../src/schema/builders/global.ts"
import { route } from "../../src/schema/builders/route.ts"
import { users } from "../../src/schema/builders/users.ts"
import { compileSchema } from "../../src/schema/compile/compile.ts"
import { appFolder } from "./app-folder.ts"
import { generateApp, generateFor, generateNewspaper } from "./newspaper.ts"
import { checked } from "./newspaper-files.ts"

const REGENERATE = "the fixture is out of date: write the generated text into it"

test.each(["index.ts", "rows.ts", "tables.ts"])(
  "the %s of the newspaper is the one that the type tests are written against",
  async (name) => {
    const checkedIn = await readFile(new URL(`../types/newspaper/src/generated/${name}`, import.meta.url), "utf8")

    expect(generateNewspaper().get(name), REGENERATE).toBe(checkedIn)
  },
)

test("every file says where it comes from and ends with a newline", () => {
  const files = [...generateNewspaper()]

  expect(files.map(([name]) => name)).toEqual(["app.ts", "index.ts", "register.ts", "rows.ts", "tables.ts"])
  for (const [, text] of files) {
    expect(text).toMatch(/^\/\/ Written by kit generate; changes are lost\.\n/)
    expect(text).toMatch(/[^\n]\n$/)
  }
})

test("the order of the definitions does not change the text", () => {
  const definitions = ["b", "a", "c"].map((name) => collection(name).fields(({ f }) => ({ name: f.text() })).definition)

  expect(generateFor(definitions)).toEqual(generateFor([...definitions].reverse()))
})

test("only what is used is imported", () => {
  const text = indexOf([
    collection("tags")
      .fields(({ f }) => ({ name: f.text() }))
      .options({ timestamps: false }),
  ])

  const imported = text.slice(0, text.indexOf('} from "kit/generated"')).match(/^ {2}\w+(?=,$)/gm)
  expect(imported).toContain("  TextFilter")
  expect(imported).not.toContain("  OrderedFilter")
  for (const name of imported ?? []) expect(text.split(new RegExp(`\\b${name.trim()}\\b`)).length).toBeGreaterThan(2)
})

test("nothing to write, to hydrate or to name accepts nothing", () => {
  const text = indexOf([collection("log").fields(({ f }) => ({ line: f.text().readOnly() }))])

  expect(text).toContain("export type LogCreate = Record<string, never>")
  expect(text).toContain("export type LogUpdate = Record<string, never>")
  expect(text).toContain("export type LogWith = Record<string, never>")
  expect(text).toContain("export interface AppGlobals {}")
  expect(text).toContain("  globals: {}\n")
  expect(text).toContain("  routes: {}\n")
})

test("a route is found under the names that lead to its URL, and by its own method", () => {
  const get = route()
    .get()
    .handler(() => 0).definition
  const paths = ["v1/adminStats", "2fa/sitemap.xml", "two-2", "clubs/[club]", "clubs/[...rest]"]
  const routes = paths.map((path) => ({ file: path, path, definition: get }))

  const text = generateApp({ resources: [], routes }).get("index.ts") ?? ""

  expect(text.slice(text.indexOf("  routes: ")).replace(/RouteQuery<typeof import\("(.*?)"\).default>/g, "$1")).toBe(
    `  routes: {
    "2fa": RoutePath & {
      "sitemap.xml": RoutePath & {
        get: ../routes/2fa/sitemap.xml.js
      }
    }
    "two-2": RoutePath & {
      get: ../routes/two-2.js
    }
    clubs: RoutePath & {
      $club(value: string | number): RoutePath & {
        get: ../routes/clubs/[club].js
      }
      $rest(values: readonly string[]): RoutePath & {
        get: ../routes/clubs/[...rest].js
      }
    }
    v1: RoutePath & {
      adminStats: RoutePath & {
        get: ../routes/v1/adminStats.js
      }
    }
  }
}
`,
  )
})

test("without services none are registered, and without emails no name is one", () => {
  const text = generateFor([]).get("register.ts")

  expect(text).not.toContain("Services")
  expect(text).toContain(
    "    db: Kysely<AppTables>\n    emails: {}\n  }\n\n  interface CollectionBuilders extends AppCollectionBuilders {}\n",
  )
})

test("data of which only the author's file knows the type is left to the builder, and holds nothing else", () => {
  const notes = collection("notes").fields(({ f }) => ({
    meta: f.json().required(),
    more: f.json(),
    all: f.computed(() => 1),
  }))
  const text = generateFor([notes.definition]).get("rows.ts")

  expect(
    text,
  ).toContain(`export interface NotesData<Declared extends DeclaredFields = DeclaredFields> extends NotesChange<Declared> {
  meta: Declared["meta"]["value"]
}
`)
  expect(text).toContain(`export interface NotesChange<Declared extends DeclaredFields = DeclaredFields> {
  meta?: Declared["meta"]["value"]
  more?: Declared["more"]["value"] | null
}
`)
  expect(text).toContain('  readonly all: Declared["all"]["value"]\n')
  expect(text).toContain('  shown: SelectedRecord<Omit<NotesRecord, "meta" | "more" | "all">, {}> & { meta?: ')
  expect(text).toContain("  fields<Given extends DeclaredFieldsOf<NotesWhere>>(")
})

test.each([
  ["collection", collection("notes"), "NotesCollection"],
  ["global", global("notes"), "NotesGlobal"],
  ["users", users(), "UsersCollection"],
])("every step of the builder of a %s is a step of the generated one", (_kind, empty, name) => {
  const builder = empty.fields(({ f }) => ({ text: f.text() }))
  const text = generateFor([builder.definition]).get("rows.ts") ?? ""

  const generated = text.slice(text.indexOf(`export interface ${name} `)).split("\n}")[0]
  for (const step of stepsOf(builder)) expect(generated).toMatch(new RegExp(`^  ${step}[(<]`, "m"))
})

test("the types of users have the fields that users write themselves, and only plain ones at a sign-up", () => {
  const people = users().fields(({ f }) => ({
    theme: f.select(["light", "dark"]).access({ create: true }),
    source: f.text().access({ create: ({ session }) => session === null, update: false }),
    level: f.number().access({ create: false, update: false }),
    handle: f.text().unique().access({ create: true }),
    friend: f.relation("users").access({ create: true }),
    note: f.text().hidden(),
    bio: f.textarea(),
  }))
  const text = generateFor([people.definition]).get("index.ts") ?? ""

  expect(text).toContain(`  auth: {
    user: AppUser
    signUp: {
      theme?: "light" | "dark" | null
      source?: string | null
    }
    update: {
      theme?: "light" | "dark" | null
      handle?: string | null
      friend?: UsersReference | null
      bio?: string | null
    }
  }
`)
})

test("a title is the name of a text field", () => {
  const notes = collection("notes").fields(({ f }) => ({
    text: f.text(),
    loud: f.virtual(f.text(), 'upper("text")'),
    count: f.number(),
  }))
  const text = generateFor([notes.definition]).get("rows.ts")

  expect(text).toContain('  title(field: "text" | "loud"): NotesCollection\n')
})

test("a JSON field whose file is not known is a mistake, not an unknown type", () => {
  const { definition } = collection("notes").fields(({ f }) => ({ meta: f.json() }))
  const compiled = compileSchema([{ file: "notes", definition }])
  if ("mistakes" in compiled) throw new Error("The collection of this test is wrong.")

  const { schema } = compiled
  const none = {
    routes: [],
    services: new Map(),
    emails: new Map(),
    jobs: new Map(),
    channels: new Map(),
    modules: new Map(),
  }
  const input = { schema, ...none, usesDatabase: false }
  expect(() => generateFiles(input)).toThrow('The file of the collection "notes"')
})

test("collaborative fields are listed with the locales of their documents", () => {
  const posts = collection("posts").fields(({ f }) => ({
    title: f.text(),
    body: f.richText().localized().collaborative(),
    notes: f
      .textarea()
      .access({ read: () => false })
      .collaborative(),
  }))
  const about = global("about").fields(({ f }) => ({ layout: f.json<{ columns: number }>().collaborative() }))
  const tags = collection("tags").fields(({ f }) => ({ name: f.text() }))

  const text = indexOf([posts, about, tags])

  expect(text).toContain(`export interface AppDocuments {
  collections: {
    posts: { body: AppLocale; notes: never }
  }
  globals: {
    about: { layout: never }
  }
}`)
  expect(text).toContain("  documents: AppDocuments\n")
  expect(indexOf([tags]).toLowerCase()).not.toContain("documents")
})

describe("names", () => {
  const words = collection("words").fields(({ f }) => ({ text: f.text().required(), next: f.relation("Words") }))
  const capitalWords = collection("Words").fields(({ f }) => ({ text: f.text().required() }))
  const secondWords = collection("words_2").fields(({ f }) => ({ text: f.text().required() }))
  const globalWords = global("words").fields(({ f }) => ({ count: f.number() }))
  const app = collection("app").fields(({ f }) => ({ name: f.text(), class: f.text(), default: f.text() }))

  test("resources whose names differ little get types of their own, and the text compiles", async () => {
    const generated = generateFor(
      [words, capitalWords, secondWords, globalWords, app].map(({ definition }) => definition),
    )
    // All files except the one that imports the author's files, which do not exist here.
    const types = [...generated].filter(([name]) => name !== "app.ts")
    const files = types.map(([name, text]) => [`src/generated/${name}`, checked(text)] as const)
    await using folder = await appFolder(new Map(files))

    const complaints = await folder.complaints()

    expect(complaints).toEqual([])
    expect(generated.get("index.ts")).toContain(
      "    Words: WordsTypes\n    app: AppTypes\n    words: Words_2Types\n    words_2: Words_2_2Types\n",
    )
    expect(generated.get("rows.ts")).toContain("  words: Words_2Resource | Words_3Resource\n")
  })
})

// Returns the methods of the classes below the one that the generated builders extend.
function stepsOf(builder: object): string[] {
  const steps = new Set<string>()
  for (
    let level = Object.getPrototypeOf(builder);
    level !== CollectionSteps.prototype && level !== ResourceSteps.prototype;
    level = Object.getPrototypeOf(level)
  ) {
    for (const step of Object.getOwnPropertyNames(level)) if (step !== "constructor") steps.add(step)
  }
  return [...steps]
}

function indexOf(resources: readonly { readonly definition: Parameters<typeof generateFor>[0][number] }[]): string {
  return generateFor(resources.map(({ definition }) => definition)).get("index.ts") ?? ""
}
