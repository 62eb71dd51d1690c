import type { SeedContext } from "kit"
import { richText } from "../_rich-text.ts"
import type { Brief } from "./_content/briefs.ts"

const HOUR_MS = 3_600_000

// They fill the twelve weeks that end before the oldest of the other articles.
const NEWEST_HOURS_AGO = 100
const SPAN_HOURS = 1_900

// Briefs of one author and kind are written one below the other. This step takes them in another order, each of them once.
const STEP = 11

interface NewBriefs {
  readonly briefs: readonly Brief[]
  readonly team: string
  /** The ids of the users by their first names in lower case. */
  readonly people: ReadonlyMap<string, string>
}

/** Creates the earlier articles of a team, the oldest one first, and publishes them. */
export async function createBriefs(context: SeedContext, { briefs, team, people }: NewBriefs): Promise<void> {
  const { articles } = context.collections
  for (let age = briefs.length - 1; age >= 0; age -= 1) {
    const brief = briefs[(age * STEP) % briefs.length]
    if (!brief) continue
    const { kind, title, text } = brief
    const hoursAgo = NEWEST_HOURS_AGO + (SPAN_HOURS * age) / briefs.length
    const { id } = await articles.create({
      slug: slugOf(title),
      kind,
      title,
      summary: text,
      body: richText(text),
      team,
      author: people.get(brief.author) ?? "",
      publishedAt: new Date(Date.now() - hoursAgo * HOUR_MS),
    })
    await articles.transitionStage({ id, stage: "review" })
    await articles.transitionStage({ id, stage: "published" })
  }
}

function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")
}
