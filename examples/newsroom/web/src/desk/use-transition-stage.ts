import { useMutation } from "kit/react"
import { client } from "../client.ts"
import { WORKING_COPY } from "./stages.ts"

const { articles } = client.collections

/** Moves an article to a stage. The desk shows it there immediately, and where it was if the server refuses. */
export function useTransitionStage() {
  return useMutation(articles.transitionStage, {
    optimistic: (view, { id, stage, scheduledAt }) => {
      if (scheduledAt === undefined) view.in({ stage: WORKING_COPY }).patch(articles, id, { stage })
    },
  })
}
