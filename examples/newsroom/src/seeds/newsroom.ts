import { type SeedContext, seed } from "kit"
import { richText } from "../_rich-text.ts"
import { CULTURE } from "./_content/culture.ts"
import { SCIENCE } from "./_content/science.ts"
import { SPORT } from "./_content/sport.ts"
import type { Story } from "./_content/story.ts"
import { paintCover } from "./_paint-cover.ts"

const HOUR_MS = 3_600_000
const PASSWORD = "newsroom"

const TEAMS = [
  {
    name: "Sport",
    about: "Matches, races and records",
    sk: { name: "Šport", about: "Zápasy, preteky a rekordy" },
    stories: SPORT,
  },
  {
    name: "Culture",
    about: "Theatre, film and books",
    sk: { name: "Kultúra", about: "Divadlo, film a knihy" },
    stories: CULTURE,
  },
  {
    name: "Science",
    about: "Research from the laboratory to the lake",
    sk: { name: "Veda", about: "Výskum od laboratória po jazero" },
    stories: SCIENCE,
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
  let done = 0
  for (const { name, about, sk, stories } of TEAMS) {
    const { id: team } = await context.collections.teams.create({ name, slug: name.toLowerCase(), about })
    await context.collections.teams.updateById({ id: team, data: sk }, { locale: "sk" })
    await addMembers(context, { team, name, people })
    for (const story of stories) {
      await createArticle(context, { story, team, author: people.get(story.author) ?? "", tags })
      context.progress("articles", ++done, total)
    }
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

async function createArticle(context: SeedContext, { story, team, author, tags }: NewArticle): Promise<void> {
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
    words: en.paragraphs.join(" ").split(" ").length,
    publishedAt: story.hoursAgo === undefined ? null : new Date(Date.now() - story.hoursAgo * HOUR_MS),
    layout: { columns: story.isLead ? 2 : 1 },
    tags: story.tags.flatMap((name) => tags.get(name) ?? []),
  })
  // An article without a translation is shown in English.
  const inSlovak = sk && { title: sk.title, summary: sk.summary, body: richText(...sk.paragraphs) }
  if (inSlovak) await articles.updateById({ id, data: inSlovak }, { locale: "sk" })
  await moveToStage(context, id, story)
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
