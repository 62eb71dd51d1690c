import type { CollectionSchema } from "kit/client"
import { useLostConnection } from "../../shell/connection.ts"
import { useWords } from "../../words/words.ts"
import type { List } from "./use-list.ts"

interface ListFooterProps {
  readonly schema: CollectionSchema
  readonly list: List
  readonly hasOrder: boolean
  /** True if the records are followed in another way than as rows of one list. */
  readonly isLive: boolean
  readonly onKeys: () => void
}

/** The lower edge of a list: whether it is live, which part of it was read, and a few keys. */
export function ListFooter({ list: { followed, count }, hasOrder, isLive, onKeys }: ListFooterProps) {
  const words = useWords("list")
  const shell = useWords("shell")
  const lostAt = useLostConnection()
  const { rows, offset, isFromStart, isToEnd } = followed.state
  const of = count.count === undefined ? null : words.count(count.count, count.isMore)
  const isKnown = isFromStart || isToEnd || !count.isMore
  return (
    <footer className="footer">
      {(isLive || followed.status === "live") && lostAt === null && <span className="live">{shell.live}</span>}
      {rows.length > 0 && isKnown && (
        <span className="number">{words.range(offset + 1, offset + rows.length, of)}</span>
      )}
      {!hasOrder && rows.length > 1 && <span>{words.newestFirst}</span>}
      <span className="keys">
        <span>↑↓ {words.keyMove}</span>
        <span>Enter {words.keyOpen}</span>
        <button type="button" onClick={onKeys}>
          ? {words.keyAll}
        </button>
      </span>
    </footer>
  )
}
