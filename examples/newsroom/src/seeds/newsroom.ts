import { type SeedContext, seed } from "kit"
import { richText } from "../_rich-text.ts"
import { CULTURE } from "./_content/culture.ts"
import { CULTURE_BRIEFS } from "./_content/culture-briefs.ts"
import { SCIENCE } from "./_content/science.ts"
import { SCIENCE_BRIEFS } from "./_content/science-briefs.ts"
import { SPORT } from "./_content/sport.ts"
import { SPORT_BRIEFS } from "./_content/sport-briefs.ts"
import type { Story } from "./_content/story.ts"
import { createBriefs } from "./_create-briefs.ts"
import { paintCover } from "./_paint-cover.ts"

const HOUR_MS = 3_600_000
const PASSWORD = "newsroom"

const TEAMS = [
  {
    name: "Sport",
    about: "Matches, races and records",
    sk: { name: "Šport", about: "Zápasy, preteky a rekordy" },
    stories: SPORT,
    briefs: SPORT_BRIEFS,
  },
  {
    name: "Culture",
    about: "Theatre, film and books",
    sk: { name: "Kultúra", about: "Divadlo, film a knihy" },
    stories: CULTURE,
    briefs: CULTURE_BRIEFS,
  },
  {
    name: "Science",
    about: "Research from the laboratory to the lake",
    sk: { name: "Veda", about: "Výskum od laboratória po jazero" },
    stories: SCIENCE,
    briefs: SCIENCE_BRIEFS,
  },
]

/** kit.config.ts suggests some of these users for signing in. */
const PEOPLE = [
  { name: "Eva Novak", email: "editor@example.com", role: "editor", teams: ["Sport", "Culture", "Science"] },
  { name: "Ivan Horak", email: "ivan@example.com", role: "editor", teams: ["Culture"] },
  { name: "Mina Okafor", email: "mina@example.com", role: "editor", teams: ["Science"] },
  { name: "Jonas Berg", email: "jonas@example.com", role: "writer", teams: ["Sport"] },
  { name: "Lucia Marin", email: "lucia@example.com", role: "writer", teams: ["Culture"] },
  { name: "Peter Kral", email: "peter@example.com", role: "writer", teams: ["Science"] },
] as const

export default seed(async (context) => {
  const people = await createPeople(context)
  const tags = await createTags(context)
  const total = TEAMS.flatMap(({ stories }) => stories).length
  const articles = new Map<string, string>()
  const teams = await createTeams(context, people)
  for (const [team, { stories }] of teams) {
    for (const story of stories) {
      const author = people.get(story.author) ?? ""
      articles.set(story.slug, await createArticle(context, { story, team, author, tags }))
      context.progress("articles", articles.size, total)
    }
  }
  // An article can lead to another one as soon as both exist, and is then published with these links.
  for (const story of TEAMS.flatMap(({ stories }) => stories)) {
    await finishArticle(context, story, articles)
  }
})

/** Creates the users, and returns their ids by the first name in lower case. */
async function createPeople({ users }: SeedContext): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>()
  for (const { name, email, role } of PEOPLE) {
    const { id } = await users.create({ name, email, password: PASSWORD, role })
    ids.set(firstNameOf(name), id)
  }
  await users.create({ name: "Root", email: "admin@example.com", password: PASSWORD, role: "admin" })
  return ids
}

/** Creates the teams with their earlier articles, so that all other articles are newer. Returns them by their ids. */
async function createTeams(context: SeedContext, people: ReadonlyMap<string, string>) {
  const { teams } = context.collections
  const created = new Map<string, (typeof TEAMS)[number]>()
  for (const made of TEAMS) {
    const { name, about, sk, briefs } = made
    const { id: team } = await teams.create({ name, slug: name.toLowerCase(), about })
    await teams.updateById({ id: team, data: sk }, { locale: "sk" })
    await addMembers(context, { team, name, people })
    await createBriefs(context, { briefs, team, people })
    created.set(team, made)
  }
  return created
}

async function createTags({ collections }: SeedContext): Promise<ReadonlyMap<string, string>> {
  const names = new Set(TEAMS.flatMap(({ stories }) => stories.flatMap(({ tags }) => tags)))
  const ids = new Map<string, string>()
  for (const name of [...names].sort()) ids.set(name, (await collections.tags.create({ name })).id)
  return ids
}

interface NewTeam {
  readonly team: string
  readonly name: string
  readonly people: ReadonlyMap<string, string>
}

async function addMembers({ collections }: SeedContext, { team, name, people }: NewTeam): Promise<void> {
  for (const person of PEOPLE) {
    const user = people.get(firstNameOf(person.name))
    const isMember = person.teams.some((joined) => joined === name)
    if (user && isMember) await collections.memberships.create({ team, user, role: person.role })
  }
}

interface NewArticle {
  readonly story: Story
  readonly team: string
  readonly author: string
  readonly tags: ReadonlyMap<string, string>
}

/** Creates a draft, and returns its id. */
async function createArticle(context: SeedContext, { story, team, author, tags }: NewArticle): Promise<string> {
  const { articles } = context.collections
  const { slug, kind, en, sk } = story
  const { id } = await articles.create({
    slug,
    kind,
    title: en.title,
    summary: en.summary,
    body: richText(...en.paragraphs),
    team,
    author,
    cover: await uploadCover(context, story),
    publishedAt: story.hoursAgo === undefined ? null : new Date(Date.now() - story.hoursAgo * HOUR_MS),
    layout: { columns: story.isLead ? 2 : 1 },
    tags: story.tags.flatMap((name) => tags.get(name) ?? []),
  })
  // An article without a translation is shown in English.
  const inSlovak = sk && { title: sk.title, summary: sk.summary, body: richText(...sk.paragraphs) }
  if (inSlovak) await articles.updateById({ id, data: inSlovak }, { locale: "sk" })
  return id
}

/** Links an article to those that are read next, and moves it to its stage. `ids` has the articles by their addresses. */
async function finishArticle(context: SeedContext, story: Story, ids: ReadonlyMap<string, string>): Promise<void> {
  const { articles } = context.collections
  const id = ids.get(story.slug)
  if (id === undefined) return
  const related = story.related?.flatMap((slug) => ids.get(slug) ?? [])
  if (related) await articles.updateById({ id, data: { related } })
  await moveToStage(context, id, story)
  if (story.newSummary) await articles.updateById({ id, data: { summary: story.newSummary } })
}

async function uploadCover({ upload }: SeedContext, { slug, cover }: Story): Promise<string | null> {
  if (!cover) return null
  const file = new File([paintCover(cover.palette)], `${slug}.png`, { type: "image/png" })
  return (await upload("media", file, { alt: cover.alt })).id
}

async function moveToStage({ collections, globals }: SeedContext, id: string, story: Story): Promise<void> {
  const { articles } = collections
  const { stage, publishInDays, isLead } = story
  if (stage !== "draft") await articles.transitionStage({ id, stage: "review" })
  if (stage === "published") await articles.transitionStage({ id, stage: "published" })
  if (publishInDays !== undefined) {
    const scheduledAt = new Date(Date.now() + publishInDays * 24 * HOUR_MS)
    await articles.transitionStage({ id, stage: "published", scheduledAt })
  }
  if (!isLead) return
  const settings = { siteName: "The Newsroom", tagline: "Stories from a town on a river", frontPageArticle: id }
  await globals.settings.update(settings)
  await globals.settings.update({ tagline: "Príbehy z mesta na rieke" }, { locale: "sk" })
}

function firstNameOf(name: string): string {
  return name.split(" ", 1)[0]?.toLowerCase() ?? name
}
