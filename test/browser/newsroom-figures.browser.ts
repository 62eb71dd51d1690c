import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { close, EVA, JONAS, newArticle, WAIT } from "./support/desk-pages.ts"
import { holdRealtime } from "./support/hold-realtime.ts"
import { findingsIn, type NewsroomSite, startNewsroomSite } from "./support/newsroom-site.ts"

let site: NewsroomSite

beforeAll(async () => {
  site = await startNewsroomSite()
})
afterAll(() => site[Symbol.asyncDispose]())

const WEEKS = "Articles per week and team"
const AUTHORS = "Words per author"

const drawing = (page: Page, name: string) => page.getByRole("img", { name })

/** Opens both tables, and resolves when their numbers are there. */
async function openTables(page: Page): Promise<void> {
  for (const name of [WEEKS, AUTHORS]) {
    await drawing(page, name).locator("rect").last().waitFor(WAIT)
    await page.getByRole("region", { name }).getByText("The numbers as a table").click()
  }
}

/** Resolves to the rows of a table, each as the text of its cells. */
async function rowsOf(page: Page, name: string): Promise<readonly (readonly string[])[]> {
  const rows = await page.getByRole("table", { name }).getByRole("row").all()
  return Promise.all(rows.map((row) => row.locator("th, td").allTextContents()))
}

/** Resolves to the number of articles of the sports team in the newest week, and in all teams together. */
async function newestWeek(page: Page): Promise<readonly (string | undefined)[]> {
  const row = (await rowsOf(page, WEEKS)).at(-1) ?? []
  return [row[3], row[4]]
}

describe.each(["light", "dark"] as const)("in %s", (colorScheme) => {
  test.each([390, 1280])(
    "the figures have no error, no finding of axe and no sideways scroll at %i px",
    async (width) => {
      const { page, complaints } = await site.open("/desk/figures", {
        as: EVA,
        colorScheme,
        viewport: { width, height: 900 },
      })
      await openTables(page)

      expect([await findingsIn(page), complaints]).toEqual([[], []])
      // Nothing in the drawings is cut off; a letter may reach a pixel beyond its place.
      const outside = await page.evaluate(`[...document.querySelectorAll("svg[role=img] text")].filter((text) => {
      const [inner, outer] = [text, text.ownerSVGElement].map((element) => element.getBoundingClientRect())
      return inner.left < outer.left - 1 || inner.right > outer.right + 1
    }).map((text) => text.textContent)`)
      expect(outside).toEqual([])
      await close(page)
    },
  )
})

test("the board leads its editors to the figures, which are those of the API", async () => {
  const { page, complaints } = await site.open("/desk", { as: EVA })
  await page.getByRole("link", { name: "Figures" }).click()
  await openTables(page)

  const groups = await figuresOfApi()
  const [weekHead, ...weeks] = await rowsOf(page, WEEKS)
  const [authorHead, ...authors] = await rowsOf(page, AUTHORS)
  expect([weekHead, authorHead]).toEqual([
    ["Week of", "Culture", "Science", "Sport", "Total"],
    ["Author", "Words", "Articles"],
  ])
  const expectedWeeks = weeks.map(([week = ""]) => {
    const ofWeek = groups.filter((group) => group.week === week)
    const counts = ["Culture", "Science", "Sport"].map((team) => sumOf(ofWeek.filter((group) => group.team === team)))
    return [week, ...counts, sumOf(ofWeek)].map(String)
  })
  expect(weeks).toHaveLength(12)
  expect(weeks).toEqual(expectedWeeks)
  const shownWeeks = weeks.map(([week]) => week)
  const shown = groups.filter(({ week }) => shownWeeks.includes(week))
  const expectedAuthors = authors.map(([author = ""]) => {
    const own = shown.filter((group) => group.author === author)
    return [author, numberText(own.reduce((sum, { words }) => sum + words, 0)), numberText(sumOf(own))]
  })
  expect(authors).toHaveLength(new Set(shown.map(({ author }) => author)).size)
  expect(authors).toEqual(expectedAuthors)
  const words = authors.map(([, count = ""]) => Number(count.replaceAll(",", "")))
  expect(words).toEqual([...words].sort((one, other) => other - one))
  expect(complaints).toEqual([])
  await close(page)
})

interface ApiGroup {
  /** The name of the week in the table. */
  readonly week: string
  readonly team: string
  readonly author: string
  readonly count: number
  readonly words: number
}

/** Resolves to the numbers of all published articles, by week, team and author. */
async function figuresOfApi(): Promise<readonly ApiGroup[]> {
  const { articles, teams, users } = (await site.clientOf(EVA)).collections
  const week = { field: "publishedAt", by: "week", timeZone: "Europe/Bratislava" }
  const found = await articles.aggregate({
    stage: "published",
    groupBy: [week, "team", "author"],
    count: true,
    sum: { words: true },
    limit: 1_000,
  })
  const records = [...(await teams.find()).docs, ...(await users.find()).docs]
  const names = new Map<string, string>(records.map(({ id, name }) => [id, name]))
  const dayOf = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", timeZone: "UTC" })
  type Found = { key: { publishedAt: string; team: string; author: string }; count: number; sum: { words: number } }
  return found.groups.map(({ key, count, sum }: Found) => ({
    week: dayOf.format(new Date(key.publishedAt)),
    team: names.get(key.team) ?? "",
    author: names.get(key.author) ?? "",
    count,
    words: sum.words,
  }))
}

function sumOf(groups: readonly ApiGroup[]): number {
  return groups.reduce((sum, { count }) => sum + count, 0)
}

function numberText(number: number): string {
  return new Intl.NumberFormat("en").format(number)
}

test("a drawing has a name, a summary and the numbers of its table", async () => {
  const { page } = await site.open("/desk/figures", { as: EVA })
  await openTables(page)
  const rows = (await rowsOf(page, WEEKS)).slice(1)
  const totals = rows.map((row) => row.at(-1))

  expect(await drawing(page, WEEKS).locator(".figure-total").allTextContents()).toEqual(totals)
  const parts = rows.flatMap((row) => row.slice(1, -1).filter((count) => count !== "0"))
  expect(await drawing(page, WEEKS).locator(".figure-number").allTextContents()).toEqual(parts)
  const sum = totals.reduce((total, count) => total + Number(count), 0)
  expect(await drawing(page, WEEKS).locator("desc").textContent()).toContain(`${sum} articles in all.`)
  const [, first = []] = await rowsOf(page, AUTHORS)
  expect(await drawing(page, AUTHORS).locator("desc").textContent()).toContain(
    `${first[0]} has the most words, ${first[1]}.`,
  )
  expect(await page.getByRole("list").filter({ hasText: "Culture" }).last().textContent()).toBe("CultureScienceSport")
  await close(page)
})

test("the figures change while they are open, when an article is published in another window and withdrawn", async () => {
  const { page, complaints } = await site.open("/desk/figures", { as: EVA })
  await openTables(page)
  const [sport, total] = (await newestWeek(page)).map(Number)
  const words = async () => {
    const row = (await rowsOf(page, AUTHORS)).find(([name]) => name === "Eva Novak")
    return Number(row?.[1]?.replaceAll(",", ""))
  }
  const before = await words()

  const { id, title } = await newArticle(site, "Counted", "review")
  const { articles } = (await site.clientOf(EVA)).collections
  const text = (value: string) => ({ type: "paragraph", content: [{ type: "text", text: value }] })
  await articles.updateById({
    id,
    data: { body: { type: "doc", content: [text("Half past"), text("seven in the morning")] } },
  })
  const { page: board } = await site.open("/desk", { as: EVA })
  await board.getByRole("button", { name: `Publish: “${title}”` }).click()

  await expect.poll(() => newestWeek(page), WAIT).toEqual([String(Number(sport) + 1), String(Number(total) + 1)])
  await expect.poll(words, WAIT).toBe(before + 6)
  await articles.transitionStage({ id, stage: "draft" })
  await expect.poll(() => newestWeek(page), WAIT).toEqual([String(sport), String(total)])
  await expect.poll(words, WAIT).toBe(before)
  expect(complaints).toEqual([])
  await close(page, board)
})

test("the figures are for editors", async () => {
  const { page, complaints } = await site.open("/desk", { as: JONAS })
  await page.getByRole("heading", { name: "The board" }).waitFor()
  expect(await page.getByRole("link", { name: "Figures" }).count()).toBe(0)
  await page.goto(`${site.origin}/desk/figures`)

  await page.getByText("The figures are for editors.").waitFor()
  expect(await page.getByRole("img").count()).toBe(0)
  expect(complaints).toEqual([])
  await close(page)
})

test("figures that are refused can be tried again, and are awaited meanwhile", async () => {
  const { page } = await site.open("/desk", { as: EVA })
  await page.getByText("Goes out").waitFor(WAIT)
  const { refuse, stop } = await holdRealtime(page)

  await page.getByRole("link", { name: "Figures" }).click()
  await page.getByRole("status", { name: "Loading…" }).first().waitFor()
  refuse()
  await page.getByRole("alert").getByText("Not today.").first().waitFor()
  expect(await findingsIn(page)).toEqual([])
  await stop()
  await page.getByRole("button", { name: "Try again" }).first().click()

  await openTables(page)
  expect(await page.getByRole("alert").count()).toBe(0)
  await close(page)
})

test("without articles in these weeks there is a word in place of each drawing, until one is published", async () => {
  const { articles } = (await site.clientOf(EVA)).collections
  const { page, complaints } = await site.open("/desk/figures", { as: EVA })
  await openTables(page)

  const { docs } = await articles.find({ stage: "published", columns: { slug: true }, limit: 1_000 })
  const slugs = docs.map(({ slug }: { slug: string }) => slug)
  await articles.deleteMany({ where: { slug: { in: slugs } } }, { stage: "published" })
  await expect.poll(() => page.getByText("No figures yet").count(), WAIT).toBe(2)
  expect(await findingsIn(page)).toEqual([])
  await newArticle(site, "The first", "published")

  await drawing(page, WEEKS).waitFor(WAIT)
  await drawing(page, AUTHORS).waitFor(WAIT)
  expect(complaints).toEqual([])
  await close(page)
})
