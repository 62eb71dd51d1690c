import { useNumbers } from "../../shell/language.ts"
import { useDeskWords } from "../words.ts"
import { AuthorBars } from "./author-bars.tsx"
import { Figure } from "./figure.tsx"
import { useAuthors } from "./use-figures.ts"

/** The words per author. */
export function AuthorFigure({ onRetry }: { onRetry(): void }) {
  const words = useDeskWords().figures
  const number = useNumbers()
  const { data, ...state } = useAuthors()
  return (
    <Figure
      {...state}
      title={words.perAuthor}
      isEmpty={data?.length === 0}
      onRetry={onRetry}
      drawing={data && data.length > 0 && <AuthorBars authors={data} />}
      table={
        <table>
          <caption className="unseen">{words.perAuthor}</caption>
          <thead>
            <tr>
              <th scope="col">{words.author}</th>
              <th scope="col">{words.words}</th>
              <th scope="col">{words.articles}</th>
            </tr>
          </thead>
          <tbody>
            {data?.map((author) => (
              <tr key={author.id}>
                <th scope="row">{author.name}</th>
                <td>{number(author.words)}</td>
                <td>{number(author.articles)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      }
    />
  )
}
