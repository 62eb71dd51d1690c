import { useLive, useMutation } from "kit/react"
import { client } from "../../client.ts"
import { type Stage, WORKING_COPY } from "../stages.ts"

const { articles } = client.collections

/** An article to read next. */
export interface RelatedArticle {
  readonly id: string
  readonly title: string
  readonly stage: Stage
}

/** An operation on the list, and the list that the desk shows until the server has done it. */
interface RelatedChange {
  readonly related:
    | { readonly connect: string }
    | { readonly disconnect: readonly string[] }
    | { readonly move: RelatedMove }
  readonly shown: readonly RelatedArticle[]
}

type RelatedMove = { readonly id: string; readonly before: string } | { readonly id: string; readonly to: "end" }

const NOTHING: readonly RelatedArticle[] = []

/** The articles to read next after this one, in their order, and the functions that change the list. */
export function useRelated(id: string) {
  // Titles that are not translated are shown in English, unlike those of the article that is open.
  const found = useLive(articles.record(id), {
    stage: WORKING_COPY,
    columns: { id: true },
    with: { related: { columns: { title: true, stage: true } } },
  })
  const related = found.data?.related ?? NOTHING
  const save = useMutation(
    ({ related: change }: RelatedChange, call) => articles.updateById({ id, data: { related: change } }, call),
    {
      optimistic: (view, { shown }) => view.in({ stage: WORKING_COPY }).patch(articles, id, { related: [...shown] }),
    },
  )
  const change = (made: RelatedChange) => void save.runSafe(made)
  const without = (article: RelatedArticle) => related.filter((each) => each.id !== article.id)
  return {
    related,
    error: found.error ?? save.error,
    add: (article: RelatedArticle) => change({ related: { connect: article.id }, shown: [...related, article] }),
    remove: (article: RelatedArticle) => change({ related: { disconnect: [article.id] }, shown: without(article) }),
    /** Moves an article to this place, counted from 0. The move names a neighbour, so that colleagues can move others. */
    move: (article: RelatedArticle, index: number) => {
      const others = without(article)
      const next = others[index]
      const move = next ? { id: article.id, before: next.id } : { id: article.id, to: "end" as const }
      change({ related: { move }, shown: others.toSpliced(index, 0, article) })
    },
  }
}
