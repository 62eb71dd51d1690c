import { describe, expect, test } from "vitest"
import { resourcesRead } from "../../src/engine/live/resources-read.ts"
import { collection } from "../../src/schema/builders/collection.ts"
import { global } from "../../src/schema/builders/global.ts"
import { compileSchema } from "../../src/schema/compile/compile.ts"
import type { AppSchema, Resource } from "../../src/schema/compile/resource.ts"
import { ALWAYS, EVERYTHING } from "../../src/sql/filter/predicate.ts"
import { typedParseContext } from "../../src/sql/parse/parse-context.ts"
import { parseSelection } from "../../src/sql/parse/parse-selection.ts"
import { parseWhere } from "../../src/sql/parse/parse-where.ts"
import { countMatching, selectMatching } from "../../src/sql/read/select.ts"

const people = collection("people").fields(({ f }) => ({
  name: f.text(),
  drafts: f.virtual(f.number().integer(), '(select count(*)::int from poems p where p.author = "id")'),
}))
// The column "people" has the name of a table that a read of poems does not use.
const poems = collection("poems")
  .fields(({ f }) => ({ people: f.text(), author: f.relation("people") }))
  .options({ workflow: true })
const site = global("site").fields(({ f }) => ({ name: f.text() }))

const schema = compile()

function compile(): AppSchema {
  const sources = [people, poems, site].map(({ definition }) => ({ file: definition.name, definition }))
  const compiled = compileSchema(sources)
  if ("mistakes" in compiled) throw new Error(JSON.stringify(compiled.mistakes))
  return compiled.schema
}

function resourceNamed(name: string, { collections }: AppSchema = schema): Resource {
  const resource = collections.get(name)
  if (resource === undefined) throw new Error(`There is no ${name}.`)
  return resource
}

const keysOf = (statement: Parameters<typeof resourcesRead>[1]) => [...resourcesRead(schema, statement)].sort()
const reading = typedParseContext(EVERYTHING)

describe("the resources of a statement that the author wrote", () => {
  test.each<[text: string, keys: string[]]>([
    ['select * from "people"', ["collection people"]],
    ["select * from People p join poems on true", ["collection people", "collection poems"]],
    ["select 1 from peoples, my_poems", []],
  ])("%s", (text, keys) => {
    expect(keysOf({ text, values: [], isWrittenByAuthor: true })).toEqual(keys)
  })

  test("include the resource whose stage copies the text names", () => {
    const { table } = resourceNamed("poems", schema.inStages(new Map([["poems", "published"]])))

    expect(keysOf({ text: `select * from ${table}`, values: [] })).toEqual(["collection poems"])
  })
})

describe("the resources of a generated statement", () => {
  test("are those of its tables, whatever else its text contains", () => {
    const statement = selectMatching(parseSelection(resourceNamed("poems"), {}, reading), ALWAYS)

    expect(statement.text).toContain('"people"')
    expect(keysOf(statement)).toEqual(["collection poems"])
  })

  test("include those that a virtual field reads, if the statement reads the field", () => {
    const columns = (name: string) => parseSelection(resourceNamed("people"), { columns: { [name]: true } }, reading)

    expect(keysOf(selectMatching(columns("name"), ALWAYS))).toEqual(["collection people"])
    expect(keysOf(selectMatching(columns("drafts"), ALWAYS))).toEqual(["collection people", "collection poems"])
  })

  test("include those of its filter", () => {
    const where = parseWhere(resourceNamed("poems"), { author: { name: "Eva" } }, reading)

    expect(keysOf(countMatching(resourceNamed("poems"), where))).toEqual(["collection people", "collection poems"])
  })
})
