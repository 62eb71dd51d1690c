import { useLive } from "kit/react"
import { useState } from "react"
import { client } from "../../client.ts"
import { WORKING_COPY } from "../stages.ts"

const { articles } = client.collections

const SHOWN = {
  // Without a stage, members of a team read what is published, as everyone does.
  stage: WORKING_COPY,
  columns: {
    title: true,
    kind: true,
    stage: true,
    team: true,
    updatedAt: true,
    publishedAt: true,
    changedSincePublished: true,
  },
  with: { author: { columns: { name: true } }, cover: { columns: { url: true } } },
  orderBy: { updatedAt: "desc" },
  limit: 200,
} as const

// Older published articles are in the archive, and nobody works on them.
const PUBLISHED_DAYS = 7
const DAY_MS = 86_400_000

/** The working copies of the articles that the user may see, of one team or of all. Texts are not read. */
export function useBoard(team: string | undefined) {
  const [since] = useState(() => new Date(Date.now() - PUBLISHED_DAYS * DAY_MS))
  const isOnBoard = {
    OR: [
      { stage: { ne: "published" } },
      { changedSincePublished: true },
      // An article that is published here has no time of its publication until the server has written it.
      { publishedAt: { isNull: true } },
      { publishedAt: { gte: since } },
    ],
  } as const
  return useLive(articles, { ...SHOWN, where: team === undefined ? isOnBoard : { ...isOnBoard, team } })
}

type Board = NonNullable<ReturnType<typeof useBoard>["data"]>

/** The part of an article that a card shows. */
export type BoardArticle = Board["docs"][number]
