import { expect, test } from "vitest"
import { appFile } from "../../src/cli/codegen/app-file.ts"
import { generateNewspaper } from "./newspaper.ts"

function appFileOf(...modules: readonly (readonly [string, string])[]): string {
  const schema = { resources: new Map(), collections: new Map(), globals: new Map() }
  // Only the places of the files matter here.
  return appFile({ schema, modules: new Map(modules) } as unknown as Parameters<typeof appFile>[0])
}

test("the app of the newspaper has every part that its files declare", () => {
  const text = generateNewspaper().get("app.ts")

  expect(text).toContain('{ file: "src/collections/articles.ts", definition: _collections_articles.definition }')
  expect(text).toContain('{ file: "src/globals/settings.ts", definition: _globals_settings.definition }')
  expect(text).toContain('path: "clubs/[club]/invite", definition: _routes_clubs_club_invite.definition }')
  expect(text).toContain('{ file: "src/services/desk.ts", key: "desk", definition: _services_desk.definition }')
  expect(text).toContain('{ file: "src/emails/invite.ts", key: "invite", definition: _emails_invite.definition }')
})

test("files whose paths differ only in what a name cannot hold are imported under names of their own", () => {
  const text = appFileOf(["route:a", "routes/a-b"], ["route:b", "routes/a_b"], ["route:c", "routes/[a]/b"])

  expect(text).toContain('import _routes_a_b from "../routes/[a]/b.ts"')
  expect(text).toContain('import _routes_a_b_ from "../routes/a-b.ts"')
  expect(text).toContain('import _routes_a_b__ from "../routes/a_b.ts"')
})

test("a route in a feature folder has the path below routes", () => {
  const text = appFileOf(["route:src/shop/routes/routes/cart.ts", "shop/routes/routes/cart"])

  expect(text).toContain('{ file: "src/shop/routes/routes/cart.ts", path: "routes/cart",')
})

test("a file is imported by its own ending", () => {
  const text = appFileOf(["job:a", "jobs/a"], ["file:jobs/a", "src/jobs/a.mjs"])

  expect(text).toContain('import _jobs_a from "../jobs/a.mjs"')
  expect(text).toContain('{ file: "src/jobs/a.mjs", key: "a", definition: _jobs_a.definition }')
})

test("the settings are imported where there are any", () => {
  expect(appFileOf(["config:app", "../kit.config"])).toContain('import _kit_config from "../../kit.config.ts"')
  expect(appFileOf(["config:app", "../kit.config"])).toContain("config: _kit_config,")
  expect(appFileOf()).toContain("config: {},")
})

test("the text does not depend on the order in which files were found", () => {
  const one = ["job:a", "jobs/a"] as const
  const other = ["job:b", "jobs/b"] as const

  expect(appFileOf(one, other)).toBe(appFileOf(other, one))
})
