import { useState } from "react"
import { Button } from "../../../parts/button.tsx"
import { useWords } from "../../../words/words.ts"
import type { LinkPage } from "./use-links.ts"

const FIRST_SIZE = 20
const PAGE_SIZE = 50

export interface LinkPaging {
  readonly page: LinkPage
  readonly show: (page: LinkPage) => void
}

/** Keeps which of the links are shown: the first 20, then pages of 50. */
export function useLinkPaging(): LinkPaging {
  const [page, show] = useState<LinkPage>({ offset: 0, limit: FIRST_SIZE })
  return { page, show }
}

interface LinkPagesProps {
  readonly label: string
  readonly paging: LinkPaging
  /** The number of links that are shown. */
  readonly shown: number
  readonly count: number
}

/** Leads to the links that are not shown. */
export function LinkPages({ label, paging: { page, show }, shown, count }: LinkPagesProps) {
  const words = useWords("relations")
  if (page.limit === FIRST_SIZE) {
    if (count <= shown) return null
    const more = words.showMore(Math.min(count, PAGE_SIZE) - shown)
    return (
      <div className="link-pages">
        <span className="number">{words.range(1, shown, count)}</span>
        <Button look="quiet" aria-label={`${more}: ${label}`} onPress={() => show({ offset: 0, limit: PAGE_SIZE })}>
          {more}
        </Button>
      </div>
    )
  }
  if (count <= PAGE_SIZE) return null
  const { offset } = page
  return (
    <nav className="link-pages" aria-label={words.pages(label)}>
      <span className="number">{words.range(offset + 1, offset + shown, count)}</span>
      <Button
        look="quiet"
        isDisabled={offset === 0}
        onPress={() => show({ offset: Math.max(0, offset - PAGE_SIZE), limit: PAGE_SIZE })}
      >
        {words.earlier}
      </Button>
      <Button
        look="quiet"
        isDisabled={offset + shown >= count}
        onPress={() => show({ offset: offset + PAGE_SIZE, limit: PAGE_SIZE })}
      >
        {words.later}
      </Button>
    </nav>
  )
}
