import { type DragEvent, type RefObject, useId, useState } from "react"
import { movesFrom, type Stage } from "../stages.ts"
import { useTeams } from "../teams.ts"
import { useDeskWords } from "../words.ts"
import { BoardCard } from "./board-card.tsx"
import type { BoardArticle } from "./use-board.ts"

export interface CardActions {
  onDrag(article: BoardArticle | undefined): void
  onMove(article: BoardArticle, stage: Stage): void
  /** The id of the article that the user has moved last: its card takes the focus along. */
  readonly movedId: RefObject<string | undefined>
}

interface BoardColumnProps extends CardActions {
  readonly stage: Stage
  readonly articles: readonly BoardArticle[]
  /** The article that the user is dragging. */
  readonly dragged: BoardArticle | undefined
}

/** The articles of one stage. It takes a dragged card if the user may move the article here. */
export function BoardColumn({ stage, articles, dragged, ...actions }: BoardColumnProps) {
  const words = useDeskWords()
  const id = useId()
  const teams = useTeams()
  const [isOver, setIsOver] = useState(false)
  const isEditor = teams.some((team) => team.id === dragged?.team && team.isEditor)
  const takesDragged = dragged !== undefined && movesFrom(dragged.stage, isEditor).includes(stage)
  const over = (event: DragEvent) => {
    if (!takesDragged) return
    // Without this, the browser does not let the card be dropped.
    event.preventDefault()
    setIsOver(true)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    if (dragged && takesDragged) actions.onMove(dragged, stage)
  }
  return (
    <section
      className="lane"
      aria-labelledby={id}
      data-stage={stage}
      data-target={takesDragged ? "" : undefined}
      data-over={isOver && takesDragged ? "" : undefined}
      onDragOver={over}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <h2 id={id} className="lane-title">
        {words.stages[stage]} <span className="lane-count">{articles.length}</span>
      </h2>
      {articles.length === 0 ? (
        <p className="lane-empty">{words.emptyStages[stage]}</p>
      ) : (
        <ul className="tickets">
          {articles.map((article) => (
            <BoardCard key={article.id} article={article} {...actions} />
          ))}
        </ul>
      )}
    </section>
  )
}
