import fc from "fast-check"
import { expect, test } from "vitest"
import { channel } from "../../src/schema/builders/channel.ts"
import { collection } from "../../src/schema/builders/collection.ts"
import type { ResourceDefinition } from "../../src/schema/builders/definition.ts"
import { email } from "../../src/schema/builders/email.ts"
import { global } from "../../src/schema/builders/global.ts"
import { job } from "../../src/schema/builders/job.ts"
import { route } from "../../src/schema/builders/route.ts"
import { service } from "../../src/schema/builders/service.ts"
import { generateApp } from "./newspaper.ts"

const schema = { "~standard": { version: 1 as const, vendor: "test", validate: () => ({ value: {} }) } }

const RESOURCES: readonly ResourceDefinition[] = [
  ...["teams", "Teams", "people", "tags"].map((name) => collection(name).fields(({ f }) => ({ name: f.text() }))),
  collection("articles")
    .fields(({ f }) => ({
      title: f.text().required(),
      meta: f.json(),
      team: f.relation("teams"),
      tags: f.relation("tags").manyToMany(),
    }))
    .options({ softDelete: true }),
  global("teams").fields(({ f }) => ({ size: f.number() })),
].map(({ definition }) => definition)

const KEYS = ["b", "a", "c"]

const PARTS = {
  resources: RESOURCES.map((definition) => ({ file: `${definition.kind}/${definition.name}`, definition })),
  routes: ["x/b", "x/a", "x/[id]", "y"].map((path) => ({
    ...{ file: path, path },
    definition: route().handler(() => 0).definition,
  })),
  services: KEYS.map((key) => ({
    ...{ file: key, key },
    definition: service({ lifecycle: "singleton", create: () => 0 }).definition,
  })),
  emails: KEYS.map((key) => ({
    ...{ file: key, key },
    definition: email({ name: key, schema, handler: () => ({ subject: "", html: "" }) }).definition,
  })),
  jobs: KEYS.map((key) => ({
    ...{ file: key, key },
    definition: job({ name: key, schema, handler: () => {} }).definition,
  })),
  channels: KEYS.map((key) => ({ file: key, key, definition: channel(key).events({ schema }).definition })),
}

const shuffled = <Item>(items: readonly Item[]) => fc.shuffledSubarray([...items], { minLength: items.length })

test("the order in which files are found does not change a byte of what is generated", () => {
  const expected = [...generateApp(PARTS)]
  const orders = fc.record({
    resources: shuffled(PARTS.resources),
    routes: shuffled(PARTS.routes),
    services: shuffled(PARTS.services),
    emails: shuffled(PARTS.emails),
    jobs: shuffled(PARTS.jobs),
    channels: shuffled(PARTS.channels),
  })

  fc.assert(
    fc.property(orders, (parts) => {
      expect([...generateApp(parts)]).toEqual(expected)
    }),
    { numRuns: 50 },
  )
})

test("a change of one collection changes the types of no other one", () => {
  const changed = collection("tags").fields(({ f }) => ({ name: f.text(), color: f.text() })).definition
  const resources = PARTS.resources.map((source) =>
    source.definition.name === "tags" ? { ...source, definition: changed } : source,
  )

  const before = blocksOf(generateApp(PARTS))
  const after = blocksOf(generateApp({ ...PARTS, resources }))

  const differing = [...after].filter(([name, text]) => before.get(name) !== text).map(([name]) => name)
  expect(differing.length).toBeGreaterThan(0)
  expect(differing.filter((name) => !name.startsWith("Tags"))).toEqual([])
})

function blocksOf(files: ReadonlyMap<string, string>): Map<string, string> {
  const blocks = [...files.values()].flatMap(
    (text) => text.match(/^export (interface|type) \w+[\s\S]*?\n(?=\n|$)/gm) ?? [],
  )
  return new Map(blocks.map((block) => [/^export \w+ (\w+)/.exec(block)?.[1] ?? "", block]))
}
