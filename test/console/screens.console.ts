import type { Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import { lookAt } from "./support/look-at.ts"
import type { Role } from "./support/people.ts"
import { useConsole, WAIT } from "./support/use-console.ts"

const browser = useConsole()

interface State {
  readonly path: string | (() => Promise<string>)
  readonly as?: Role
  readonly expected?: RegExp
  /** Brings the page into the state, once it is loaded. */
  readonly prepare: (page: Page) => Promise<unknown>
}

const recordOf = (collection: string, where: object) => async () => {
  const { id } = await (await browser.clientOf("admin")).collections[collection].findOne({ where })
  return `/collections/${collection}/${id}`
}

/** Other tests have deleted stories, too. */
const emptyTrash = async () => {
  const { stories } = (await browser.clientOf("admin")).collections
  const { docs } = await stories.find({ where: { deletedAt: { isNotNull: true } }, includeDeleted: true })
  for (const { id } of docs) await stories.purgeById({ id })
  return "/collections/stories?trash=1"
}

const rows = (page: Page) => page.getByRole("row").nth(1).waitFor(WAIT)
const box = (name: string) => (page: Page) => page.getByRole("textbox", { name, exact: true }).waitFor(WAIT)
const press = (name: RegExp | string) => (page: Page) => page.getByRole("button", { name }).first().click(WAIT)
const steps =
  (...all: readonly ((page: Page) => Promise<unknown>)[]) =>
  async (page: Page) => {
    for (const step of all) await step(page)
  }

const STATES: Readonly<Record<string, State>> = {
  "sign-in": { path: "/", prepare: (page) => page.getByRole("button", { name: "Sign in" }).waitFor(WAIT) },
  "sign-in-refused": {
    path: "/",
    prepare: async (page) => {
      await page.getByRole("textbox", { name: "E-mail" }).fill("nobody@example.com")
      await page.getByLabel("Password").fill("wrong password")
      await page.getByRole("button", { name: "Sign in" }).click()
      await page.getByText(/wrong/).waitFor(WAIT)
    },
  },
  "sign-in-forgotten": { path: "/reset", prepare: (page) => page.getByRole("heading").first().waitFor(WAIT) },
  "list-declared": { path: "/collections/stories", as: "editor", prepare: rows },
  "list-plain": { path: "/collections/parcels", as: "editor", prepare: rows },
  "list-wide": { path: "/collections/specimens", as: "admin", prepare: rows },
  "list-files": { path: "/collections/media", as: "editor", prepare: rows },
  "list-long": { path: "/collections/readings", as: "editor", prepare: rows },
  "list-viewer": { path: "/collections/stories", as: "viewer", prepare: rows },
  "list-trash": { path: "/collections/specimens?trash=1", as: "admin", prepare: rows },
  "list-empty-trash": {
    path: emptyTrash,
    as: "admin",
    prepare: (page) => page.getByText("The trash is empty").waitFor(WAIT),
  },
  "list-selected": {
    path: "/collections/parcels",
    as: "editor",
    prepare: steps(
      rows,
      (page) => page.getByRole("row").nth(1).getByRole("checkbox").click(),
      (page) => page.getByText("1 selected").waitFor(WAIT),
    ),
  },
  "list-filter": {
    path: "/collections/stories",
    as: "editor",
    prepare: steps(rows, press(/^Filter/), (page) => page.getByRole("dialog", { name: "Filter" }).waitFor(WAIT)),
  },
  "list-display": {
    path: "/collections/stories",
    as: "editor",
    prepare: steps(rows, press("Display"), (page) => page.getByRole("dialog").waitFor(WAIT)),
  },
  "list-keys": {
    path: "/collections/stories",
    as: "editor",
    prepare: steps(
      rows,
      (page) => page.getByRole("grid").press("?"),
      (page) => page.getByRole("dialog").waitFor(WAIT),
    ),
  },
  "list-as-code": {
    path: "/collections/stories",
    as: "editor",
    prepare: steps(rows, press("As code"), (page) => page.getByRole("dialog").waitFor(WAIT)),
  },
  "record-plain-fields": { path: recordOf("specimens", { code: "AM-1" }), as: "admin", prepare: box("Name") },
  "record-viewer": {
    path: recordOf("specimens", { code: "AM-1" }),
    as: "viewer",
    prepare: (page) => page.getByRole("heading", { name: "Amber" }).waitFor(WAIT),
  },
  "record-new": { path: "/collections/specimens/new", as: "editor", prepare: box("Name") },
  "record-problems": {
    path: "/collections/specimens/new",
    as: "editor",
    prepare: steps(
      box("Name"),
      (page) => page.getByRole("textbox", { name: "Whole number" }).fill("101"),
      press(/^Save/),
      (page) =>
        page
          .getByText(/to mend/)
          .first()
          .waitFor(WAIT),
    ),
  },
  "record-no-layout": { path: recordOf("parcels", { number: "2026-1005" }), as: "editor", prepare: box("Number") },
  "record-stages": { path: recordOf("stories", { slug: "the-night-shift" }), as: "editor", prepare: box("Title") },
  "record-stage-menu": {
    path: recordOf("stories", { slug: "seven-rivers" }),
    as: "editor",
    prepare: steps(box("Title"), press(/^Stage/), (page) => page.getByRole("menu").waitFor(WAIT)),
  },
  "record-unsaved": {
    path: recordOf("stories", { slug: "the-night-shift" }),
    as: "editor",
    prepare: steps(box("Title"), (page) => page.getByRole("textbox", { name: "Lead" }).fill("Not saved yet.")),
  },
  "record-shared": {
    path: recordOf("stories", { slug: "the-night-shift" }),
    as: "editor",
    prepare: steps(box("Title"), (page) => page.getByRole("tab", { name: "Shared" }).click()),
  },
  "record-picker": {
    path: recordOf("stories", { slug: "the-night-shift" }),
    as: "editor",
    prepare: steps(
      box("Title"),
      (page) => page.getByRole("combobox", { name: "Topics" }).fill("i"),
      (page) => page.getByRole("option").first().waitFor(WAIT),
    ),
  },
  "record-blocks": {
    path: recordOf("layouts", { title: "The lake in eight pictures" }),
    as: "editor",
    prepare: box("Title"),
  },
  "record-block-open": {
    path: recordOf("layouts", { title: "The lake in eight pictures" }),
    as: "editor",
    prepare: steps(box("Title"), press(/^Gallery/), (page) =>
      page
        .getByRole("button", { name: /Picture 1/ })
        .last()
        .waitFor(WAIT),
    ),
  },
  "record-block-menu": {
    path: recordOf("layouts", { title: "The lake in eight pictures" }),
    as: "editor",
    prepare: steps(box("Title"), press("Add to Body"), (page) => page.getByRole("menuitem").first().waitFor(WAIT)),
  },
  "record-hundred-fields": {
    path: recordOf("questionnaires", { answer001: "The first questionnaire" }),
    as: "editor",
    prepare: box("Answer 5"),
  },
  "record-thousand-links": { path: recordOf("shelves", { name: "Many books" }), as: "editor", prepare: box("Name") },
  "record-as-code": {
    path: recordOf("stories", { slug: "the-night-shift" }),
    as: "editor",
    prepare: steps(box("Title"), press("As code"), (page) => page.getByRole("dialog").waitFor(WAIT)),
  },
  "record-languages": {
    path: async () => `${await recordOf("stories", { slug: "the-night-shift" })()}?locale=sk`,
    as: "editor",
    prepare: steps(box("Title"), press(/^Language of the texts/), (page) =>
      page.getByRole("menuitemradio", { name: "English" }).waitFor(WAIT),
    ),
  },
  "record-missing": {
    path: "/collections/stories/01a1f594-0000-7000-8000-000000000000",
    // Only the answer says that it is not there.
    expected: /^404: GET .*01a1f594/,
    as: "editor",
    prepare: (page) => page.getByText("This record is not there").waitFor(WAIT),
  },
  global: { path: "/globals/site", as: "editor", prepare: box("Name") },
  account: {
    path: "/account",
    as: "editor",
    prepare: (page) => page.getByRole("main").getByRole("heading").first().waitFor(WAIT),
  },
  people: { path: "/people", as: "admin", prepare: (page) => page.getByText("Mina Okafor").first().waitFor(WAIT) },
  "unknown-page": {
    path: "/nowhere",
    as: "editor",
    prepare: (page) => page.getByText("This page does not exist").waitFor(WAIT),
  },
}

describe("a screen has no finding of axe, no sideways scroll and no fault, in both themes, on a desk and a phone", () => {
  test.each(Object.entries(STATES))("%s", async (name, { path, as, expected, prepare }) => {
    const address = typeof path === "string" ? path : await path()
    const page = await browser.open(address, { timezoneId: "UTC", ...(as && { as }), ...(expected && { expected }) })
    await prepare(page)

    expect(await lookAt(page, { app: "workshop", name })).toEqual([])
  })
})
