import { seed } from "kit"
import { richText } from "../_rich-text.ts"

const TEAMS = ["Sport", "Culture", "Science"]
const ABOUT = ["Matches, races and records", "Theatre, film and books", "Research from the laboratory to the lake"]
const PASSWORD = "newsroom"
const PEOPLE = ["Eva Novak", "Ivan Horak", "Mina Okafor", "Jonas Berg", "Lucia Marin", "Peter Kral"]
const TAGS = ["portrait", "long read", "archive", "numbers"]
const STATUSES = ["idea", "writing", "done"] as const
const ARTICLES = 500
const TOPICS = ["The harbour", "A quiet record", "The night shift", "Seven rivers", "An old bridge", "The first snow"]
const TOPICS_SK = ["Prístav", "Tichý rekord", "Nočná zmena", "Sedem riek", "Starý most", "Prvý sneh"]
const ANGLES = ["and what came after", "seen from below", "in numbers", "told by those who stayed", "once more"]

export default seed(async ({ collections, globals, users, progress }) => {
  const teams = []
  for (const [index, name] of TEAMS.entries()) {
    teams.push(await collections.teams.create({ name, slug: name.toLowerCase(), about: ABOUT[index] ?? null }))
  }

  const people = []
  for (const [index, name] of PEOPLE.entries()) {
    // kit.config.ts suggests this user for signing in.
    const email = index === 0 ? "editor@example.com" : `${name.split(" ")[0]?.toLowerCase()}@example.com`
    const role = index < 3 ? "editor" : "writer"
    const user = await users.create({ name, email, password: PASSWORD, role })
    people.push(user)
    const team = teams[index % teams.length]
    if (team) await collections.memberships.create({ team: team.id, user: user.id, role })
  }
  await users.create({ name: "Root", email: "admin@example.com", password: PASSWORD, role: "admin" })

  const tags = []
  for (const name of TAGS) tags.push(await collections.tags.create({ name }))

  for (let number = 1; number <= ARTICLES; number++) {
    const team = teams[number % teams.length]
    const author = people[number % people.length]
    if (!team || !author) continue
    const title = `${TOPICS[number % TOPICS.length]} ${ANGLES[number % ANGLES.length]}`
    // Every team gets articles of every status.
    const status = STATUSES[Math.floor(number / TEAMS.length) % STATUSES.length] ?? "idea"
    const tag = tags[number % (tags.length + 1)]
    const { id } = await collections.articles.create({
      title,
      slug: `article-${number}`,
      body: richText(...Array<string>(3).fill(`${title}. `.repeat(4).trim())),
      status,
      team: team.id,
      author: author.id,
      words: title.split(" ").length * 12,
      publishedAt: status === "done" ? new Date(Date.UTC(2026, 0, 1) + number * 3_600_000) : null,
      layout: { columns: 1 + (number % 3) },
      ...(tag && { tags: [tag.id] }),
      ...(number % 10 === 0 && {
        comments: { create: { author: author.id, text: "Please check the second paragraph." } },
      }),
    })
    // Articles without a translation are shown in English.
    const translated = number % 5 === 0 ? TOPICS_SK[number % TOPICS_SK.length] : undefined
    const inSlovak = translated && { title: translated, body: richText(`${translated} po rokoch. `.repeat(12).trim()) }
    if (inSlovak) await collections.articles.updateById({ id, data: inSlovak }, { locale: "sk" })
    progress("articles", number, ARTICLES)
  }

  await globals.settings.update({ siteName: "The Newsroom", tagline: "News from three desks" })
})
