import { useMutation } from "kit/react"
import { client } from "../client.ts"

const { articles } = client.collections

/** Moves an article to a stage. The desk shows it there immediately, and where it was if the server refuses. */
export function useTransitionStage() {
  return useMutation(articles.transitionStage, {
    optimistic: (view, { id, stage, scheduledAt }) => {
      if (scheduledAt === undefined) view.patch(articles, id, { stage })
    },
  })
}
