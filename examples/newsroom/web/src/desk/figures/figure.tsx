import { type ReactNode, useId } from "react"
import { Button } from "../../components/button.tsx"
import { LiveMark, Notice, Problem, Skeleton } from "../../components/notice.tsx"
import { useWords } from "../../shell/language.ts"
import { useDeskWords } from "../words.ts"

interface FigureProps {
  readonly title: string
  readonly isLive: boolean
  readonly error: { readonly message: string } | undefined
  /** The drawing; undefined until its numbers are there. */
  readonly drawing: ReactNode
  /** The same numbers as a table. */
  readonly table: ReactNode
  readonly isEmpty: boolean
  onRetry(): void
}

/** A drawing with its title and its numbers, or the reason why there is none. */
export function Figure({ title, isLive, error, drawing, table, isEmpty, onRetry }: FigureProps) {
  const id = useId()
  const words = useDeskWords().figures
  const { retry } = useWords()
  const isShown = drawing !== undefined
  return (
    <section className="figure" aria-labelledby={id}>
      <div className="figure-head">
        <h2 id={id}>{title}</h2>
        <LiveMark isLive={isLive} />
      </div>
      {!isShown && error && (
        <Problem error={error}>
          <Button onClick={onRetry}>{retry}</Button>
        </Problem>
      )}
      {!isShown && !error && <Skeleton lines={8} />}
      {isShown && isEmpty && (
        <Notice title={words.none.title}>
          <p>{words.none.text}</p>
        </Notice>
      )}
      {isShown && !isEmpty && (
        <>
          {drawing}
          <details className="figure-numbers">
            <summary>{words.asTable}</summary>
            {table}
          </details>
        </>
      )}
    </section>
  )
}
