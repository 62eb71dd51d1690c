import { useId } from "react"
import { useNumbers } from "../../shell/language.ts"
import { useDeskWords } from "../words.ts"
import type { Author } from "./use-figures.ts"
import { useWidth } from "./use-width.ts"

const ROW_HEIGHT = 48
const NAME_BASELINE = 16
const BAR_TOP = 24
const BAR_HEIGHT = 14

/** A bar for each author, below the name and the number. */
export function AuthorBars({ authors }: { readonly authors: readonly Author[] }) {
  const id = useId()
  const words = useDeskWords().figures
  const number = useNumbers()
  const [element, width] = useWidth()
  const height = ROW_HEIGHT * authors.length
  const most = Math.max(1, ...authors.map((author) => author.words))
  const [first] = authors
  return (
    <div ref={element} className="figure-drawing" style={{ height }}>
      <svg width={width} height={height} role="img" aria-labelledby={`${id}-title`} aria-describedby={`${id}-text`}>
        <title id={`${id}-title`}>{words.perAuthor}</title>
        <desc id={`${id}-text`}>{first && words.authorsText(authors.length, first.name, number(first.words))}</desc>
        {authors.map((author, index) => (
          <g key={author.id} transform={`translate(0 ${index * ROW_HEIGHT})`}>
            <text className="figure-name" y={NAME_BASELINE}>
              {author.name}
            </text>
            <text className="figure-total" x={width} y={NAME_BASELINE} textAnchor="end">
              {number(author.words)}
            </text>
            <rect className="figure-ground" y={BAR_TOP} width={width} height={BAR_HEIGHT} />
            <rect
              className="figure-bar"
              y={BAR_TOP}
              width={Math.max(1, (width * author.words) / most)}
              height={BAR_HEIGHT}
            />
          </g>
        ))}
      </svg>
    </div>
  )
}
