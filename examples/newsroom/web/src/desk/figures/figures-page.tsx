import { useState } from "react"
import { Notice } from "../../components/notice.tsx"
import { Link } from "../../shell/router.tsx"
import { useTitle } from "../../shell/use-title.ts"
import { useTeams } from "../teams.ts"
import { useDeskWords } from "../words.ts"
import { AuthorFigure } from "./author-figure.tsx"
import { WeekFigure } from "./week-figure.tsx"
import { WEEKS } from "./weeks.ts"
import "../styles/figures.css"

/** How much the paper has published lately, for its editors. It changes while it is open. */
export function FiguresPage() {
  const words = useDeskWords()
  const isEditor = useTeams().some((team) => team.isEditor)
  const [attempt, setAttempt] = useState(0)
  // A live read that was refused begins again when its component is mounted again.
  const retry = () => setAttempt(attempt + 1)
  useTitle(words.figures.title)
  if (!isEditor) {
    return (
      <Notice title={words.figures.title}>
        <p>{words.figures.editorsOnly}</p>
      </Notice>
    )
  }
  return (
    <article className="desk figures-page">
      <Link to="/desk" className="back">
        {words.toBoard}
      </Link>
      <h1>{words.figures.title}</h1>
      <p className="desk-note">{words.figures.note(WEEKS)}</p>
      <WeekFigure key={`weeks ${attempt}`} onRetry={retry} />
      <AuthorFigure key={`authors ${attempt}`} onRetry={retry} />
    </article>
  )
}
