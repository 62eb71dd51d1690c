import { memo, useEffect, useRef } from "react"
import { Button } from "../../components/button.tsx"
import { useDates, useWords } from "../../shell/language.ts"
import { Link } from "../../shell/router.tsx"
import { movesFrom, type Stage } from "../stages.ts"
import { useTeam } from "../teams.ts"
import { usePendingTransition } from "../use-pending-transition.ts"
import { type DeskWords, useDeskWords } from "../words.ts"
import type { CardActions } from "./board-column.tsx"
import type { BoardArticle } from "./use-board.ts"

interface BoardCardProps extends CardActions {
  readonly article: BoardArticle
}

/** A card of the board. An unchanged article keeps its identity, so its card is not rendered again. */
export const BoardCard = memo(function BoardCard({ article, onDrag, onMove, movedId }: BoardCardProps) {
  const words = useDeskWords()
  const { kinds } = useWords()
  const dates = useDates()
  const { id, title, kind, stage, author, cover, updatedAt, publishedAt, changedSincePublished } = article
  const team = useTeam(article.team)
  const isEditor = team?.isEditor ?? false
  const moves = movesFrom(stage, isEditor)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // The card is a new element in its new column, and the button that moved it has taken the focus with it.
    const hasLostFocus = movedId.current === id && document.activeElement === document.body
    if (hasLostFocus) heading.current?.querySelector("a")?.focus({ preventScroll: true })
  }, [id, movedId])
  return (
    <li
      className="ticket"
      draggable={moves.length > 0}
      onDragStart={(event) => {
        event.dataTransfer.setData("text/plain", title)
        event.dataTransfer.effectAllowed = "move"
        onDrag(article)
      }}
      onDragEnd={() => onDrag(undefined)}
    >
      <p className="ticket-facts">
        <span className={`kind kind-${kind}`}>{kinds[kind]}</span>
        {team && <span>{team.name}</span>}
      </p>
      <div className="ticket-body">
        <h3 ref={heading} className="ticket-title">
          <Link to={`/desk/${id}`} draggable={false}>
            {title}
          </Link>
        </h3>
        {cover && <img className="ticket-cover" src={cover.url} alt="" loading="lazy" draggable={false} />}
      </div>
      <p className="ticket-facts">
        <span>{author?.name}</span>
        <span>{dates.ago(stage === "published" ? (publishedAt ?? updatedAt) : updatedAt)}</span>
      </p>
      {changedSincePublished && <p className="changed">{words.changed}</p>}
      <Schedule article={article} isEditor={isEditor} />
      {moves.length > 0 && (
        <div className="ticket-moves">
          {moves.map((to) => (
            <Button
              key={to}
              look="quiet"
              aria-label={words.move(nameOfMove(words, stage, to), title)}
              onClick={() => onMove(article, to)}
            >
              {nameOfMove(words, stage, to)}
            </Button>
          ))}
        </div>
      )}
    </li>
  )
})

/** The time at which the article will be published, if one is set. */
function Schedule({ article, isEditor }: { readonly article: BoardArticle; readonly isEditor: boolean }) {
  const words = useDeskWords()
  const dates = useDates()
  const [scheduledAt] = usePendingTransition({ id: article.id, stage: article.stage, isEditor })
  return scheduledAt && <p className="scheduled">{words.scheduledFor(dates.moment(scheduledAt))}</p>
}

/** Returns the name of a move for its button. */
export function nameOfMove(words: DeskWords, from: Stage, to: Stage): string {
  return from === "published" ? words.withdraw : words.moves[to]
}
