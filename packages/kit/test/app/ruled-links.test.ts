import { expect, test } from "vitest"
import { ruledLinks } from "../../src/app/doctor/ruled-links.ts"
import { type Collection, collection } from "../../src/schema/builders/collection.ts"
import { compileSchema } from "../../src/schema/compile/compile.ts"
import type { AppSchema } from "../../src/schema/compile/resource.ts"

function compile(collections: readonly Collection[]): AppSchema {
  const compiled = compileSchema(collections.map(({ definition }) => ({ file: definition.name, definition })))
  if ("mistakes" in compiled) throw new Error(JSON.stringify(compiled.mistakes))
  return compiled.schema
}

const byTeam = ({ session }: { readonly session: { readonly user: { readonly id: string } } | null }) => ({
  teams: { some: { owner: session?.user.id ?? "nobody" } },
})

test("links that a write rule follows are named if the other end can change them", async () => {
  const schema = compile([
    collection("projects")
      .fields(({ f }) => ({
        teams: f.relation("teams").manyToMany({ through: "teamProjects" }),
        tags: f.relation("tags").manyToMany({ through: "projectTags" }),
        places: f.relation("places").manyToMany(),
      }))
      .access({ read: true, update: byTeam, delete: () => ({ places: { some: { name: "here" } } }) }),
    collection("teams").fields(({ f }) => ({
      owner: f.text(),
      projects: f.relation("projects").manyToMany({ through: "teamProjects" }),
      readers: f.relation("readers").manyToMany({ through: "teamReaders" }),
    })),
    collection("tags").fields(({ f }) => ({ posts: f.relation("projects").manyToMany({ through: "projectTags" }) })),
    collection("places").fields(({ f }) => ({ name: f.text() })),
    collection("readers")
      .fields(({ f }) => ({ teams: f.relation("teams").manyToMany({ through: "teamReaders" }), name: f.text() }))
      .access({
        read: byTeam,
        update: ({ db }) =>
          db
            .selectFrom("teams")
            .execute()
            .then(() => true),
      }),
    collection("fields").fields(({ f }) => ({
      note: f.text().access({ update: () => ({ owners: { some: { name: "x" } } }) }),
      owners: f.relation("owners").manyToMany({ through: "owned" }),
    })),
    collection("owners").fields(({ f }) => ({
      name: f.text(),
      owned: f.relation("fields").manyToMany({ through: "owned" }),
    })),
  ])

  expect(await ruledLinks(schema)).toEqual([
    { ruled: "fields", field: "owners", other: "owners", otherField: "owned" },
    { ruled: "projects", field: "teams", other: "teams", otherField: "projects" },
  ])
})
