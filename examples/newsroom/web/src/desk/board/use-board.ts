import { useLive } from "kit/react"
import { client } from "../../client.ts"
import { WORKING_COPY } from "../stages.ts"

const { articles } = client.collections

const SHOWN = {
  // Without a stage, members of a team read what is published, as everyone does.
  stage: WORKING_COPY,
  columns: { title: true, kind: true, stage: true, team: true, updatedAt: true, publishedAt: true },
  with: { author: { columns: { name: true } }, cover: { columns: { url: true } } },
  orderBy: { updatedAt: "desc" },
  limit: 200,
} as const

/** The working copies of the articles that the user may see, of one team or of all. Texts are not read. */
export function useBoard(team: string | undefined) {
  return useLive(articles, team === undefined ? SHOWN : { ...SHOWN, where: { team } })
}

type Board = NonNullable<ReturnType<typeof useBoard>["data"]>

/** The part of an article that a card shows. */
export type BoardArticle = Board["docs"][number]
