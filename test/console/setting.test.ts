// @module-tag not-about-engine

import { type App, createApp, defineConfig } from "kit"
import { expect, test } from "vitest"

/** Starts an app that no database serves: the settings are checked before anything is opened. */
function start(config: object): Promise<App> {
  return createApp({
    resources: [],
    config: { db: { url: "postgres://nobody@localhost:1/none" }, ...config },
    root: "/",
  })
}

const PATH = 'the setting "console.path" must be a path such as "/admin", which starts with a slash.'
const BELOW =
  'the setting "console.path" must not be "basePath" or a path below it. The API answers there, and the console is at '
const COLOR = 'the setting "console.brand.accent" must be a color in hexadecimal digits such as "#2453d6".'
const ORIGINS =
  'the setting "console.preview.origins" must be a list of exact origins such as ["https://app.example.com"]'

test.each([
  [{ console: { path: "admin" } }, PATH],
  [{ console: { path: "/" } }, PATH],
  [{ console: { path: "" } }, PATH],
  [{ console: { path: "//example.com" } }, PATH],
  [{ console: { path: "/a/../b" } }, PATH],
  [{ console: { path: "/.hidden" } }, PATH],
  [{ console: { path: "/admin?x" } }, PATH],
  [{ console: { path: "https://example.com/admin" } }, PATH],
  [{ console: { path: 7 } }, PATH],
  [{ console: { path: "/api" } }, `${BELOW}"/api/_kit/console" in any case. Set another path.`],
  [{ console: { path: "/api/admin" } }, BELOW],
  [{ basePath: "/", console: { path: "/admin" } }, `${BELOW}"/_kit/console" in any case.`],
  [{ console: { brand: { accent: "blue" } } }, COLOR],
  [{ console: { brand: { accent: "#12345" } } }, COLOR],
  [{ console: { brand: { accent: "#2453d6;}" } } }, COLOR],
  [{ console: { brand: { name: "" } } }, 'the setting "console.brand.name" must be a text.'],
  [{ console: { brand: { color: "#fff" } } }, 'there is no setting "console.brand.color".'],
  [{ console: { brand: "News" } }, 'the setting "console.brand" must be an object.'],
  [{ console: { preview: { origins: ["https://*.example.com"] } } }, ORIGINS],
  [{ console: { preview: { origins: ["https://example.com/page"] } } }, ORIGINS],
  [{ console: { preview: { origins: "https://example.com" } } }, ORIGINS],
  [{ console: { preview: { origin: [] } } }, 'there is no setting "console.preview.origin". Did you mean "origins"?'],
  [{ console: { acces: true } }, 'there is no setting "console.acces". Did you mean "access"?'],
  [{ console: { access: "admin" } }, 'the setting "console.access" must be a boolean or a function such as'],
  [{ console: true }, 'the setting "console" must be false, or an object such as { path: "/admin" }.'],
  [{ console: "/admin" }, 'the setting "console" must be false, or an object such as { path: "/admin" }.'],
  [{ console: null }, 'the setting "console" must be false, or an object such as { path: "/admin" }.'],
  [{ consol: {} }, 'there is no setting "consol". Did you mean "console"?'],
])("%j stops the start with a message", async (config, message) => {
  await expect(start(config)).rejects.toThrow(message)
})

test("the setting is typed", () => {
  const config = defineConfig({
    console: {
      path: "/admin",
      access: ({ session }) => session?.user.role === "editor",
      preview: { origins: ["https://www.example.com"] },
      brand: { name: "Newsroom", accent: "#2453d6" },
    },
  })
  // @ts-expect-error: there is no such member
  defineConfig({ console: { brand: { colour: "#fff" } } })

  expect(config.console).toMatchObject({ path: "/admin" })
})
