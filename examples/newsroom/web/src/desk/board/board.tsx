import { useCallback, useRef, useState } from "react"
import { Button } from "../../components/button.tsx"
import { LiveMark, Problem, Skeleton } from "../../components/notice.tsx"
import { useWords } from "../../shell/language.ts"
import { Link, usePlace } from "../../shell/router.tsx"
import type { SignedInUser } from "../../shell/session.ts"
import { useTitle } from "../../shell/use-title.ts"
import { People } from "../people.tsx"
import { usePresent } from "../rooms.tsx"
import { STAGES, type Stage } from "../stages.ts"
import { useTeams } from "../teams.ts"
import { useTransitionStage } from "../use-transition-stage.ts"
import { useDeskWords } from "../words.ts"
import { BoardColumn } from "./board-column.tsx"
import { NewArticle } from "./new-article.tsx"
import { TeamLinks } from "./team-links.tsx"
import { type BoardArticle, useBoard } from "./use-board.ts"

/** The articles of the user's teams by stage, live. Cards move by their buttons or by dragging. */
export function Board({ user }: { readonly user: SignedInUser }) {
  const words = useDeskWords()
  const { articles: countText } = useWords()
  const { query } = usePlace()
  const teams = useTeams()
  const isEditor = teams.some((each) => each.isEditor)
  const team = teams.find(({ slug }) => slug === query.get("team"))
  const board = useBoard(team?.id)
  const people = usePresent(team?.id)
  const [dragged, setDragged] = useState<BoardArticle>()
  const { move, announcement, movedId } = useMoves()
  useTitle(words.desk)
  return (
    <section className="desk" aria-labelledby="board-title">
      <header className="desk-head">
        <div>
          <h1 id="board-title">{words.board}</h1>
          <p className="desk-note">
            {board.data && <span>{countText(board.data.totalDocs)}</span>}
            <LiveMark isLive={board.isLive} />
          </p>
        </div>
        <People label={words.here} people={people} />
        {isEditor && (
          <Link to="/desk/figures" className="button">
            {words.figures.title}
          </Link>
        )}
        <NewArticle key={team?.id} user={user} team={team?.id} />
      </header>
      <TeamLinks current={team?.slug} />
      {move.error && (
        <div className="desk-error" role="alert">
          <p>{move.error.message}</p>
          <Button look="quiet" onClick={move.reset}>
            {words.dismiss}
          </Button>
        </div>
      )}
      {board.status === "error" && <Problem error={board.error} />}
      {board.status === "pending" && !board.data && <Skeleton lines={8} />}
      {board.data && (
        <div className="board">
          {STAGES.map((stage) => (
            <BoardColumn
              key={stage}
              stage={stage}
              articles={board.data?.docs.filter((article) => article.stage === stage) ?? []}
              dragged={dragged}
              onDrag={setDragged}
              onMove={move.start}
              movedId={movedId}
            />
          ))}
        </div>
      )}
      <p className="unseen" role="status">
        {announcement}
      </p>
    </section>
  )
}

/** Moves articles, announces it to screen readers, and remembers which card takes the focus along. */
function useMoves() {
  const words = useDeskWords()
  const { run, error, reset } = useTransitionStage()
  const [announcement, setAnnouncement] = useState("")
  const movedId = useRef<string | undefined>(undefined)
  const start = useCallback(
    (article: BoardArticle, stage: Stage) => {
      movedId.current = article.id
      run({ id: article.id, stage }).then(
        () => setAnnouncement(words.moved(article.title, words.stages[stage])),
        () => {
          // The board shows the error, and the card where it was.
        },
      )
    },
    [run, words],
  )
  return { move: { start, error, reset }, announcement, movedId }
}
