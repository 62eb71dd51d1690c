import { useFind } from "kit/react"
import { useDeferredValue, useState } from "react"
import { type ConsoleRecord, collectionHandle } from "../../kit/resources.ts"
import { keepTitle, useFindTitle } from "../../kit/titles.ts"
import { useWords } from "../../words/words.ts"
import type { FilterProps } from "../filter-props.ts"
import { relatedTitle } from "./cell.tsx"

const MAX_FOUND = 20

/** Any number of related records, found by their titles. Those that are chosen stand first. */
export function RecordsFilter({ field, relation, operand, onChange, label }: FilterProps) {
  const words = useWords("list")
  const titleOf = useFindTitle()
  const [text, setText] = useState("")
  const { targetCollection: collection, titleField } = relation ?? {}
  const found = useFoundRecords(collection ?? null, titleField ?? null, useDeferredValue(text.trim()))
  const chosen = Array.isArray(operand) ? operand.map(String) : []
  if (!collection) return null
  const toggle = (id: string, title: string | null) => {
    if (title !== null && titleField) keepTitle({ collection, titleField, id }, title)
    const next = chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id]
    onChange(next.length === 0 ? undefined : next)
  }
  const others = found.filter(({ id }) => !chosen.includes(id))
  const entries = [
    ...chosen.map((id) => ({ id, title: titleField ? (titleOf({ collection, titleField, id }) ?? "…") : id })),
    ...others.map((record) => ({ id: record.id, title: relatedTitle(record, relation) ?? record.id })),
  ]
  return (
    <>
      {titleField && (
        <input
          className="input"
          type="text"
          value={text}
          placeholder={words.searchTitles(field.label)}
          aria-label={words.searchTitles(field.label)}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
      <ul aria-label={label}>
        {entries.map(({ id, title }) => (
          <li key={id}>
            <label className="menu-item">
              <input type="checkbox" checked={chosen.includes(id)} onChange={() => toggle(id, title)} />
              <span className="cut">{title}</span>
            </label>
          </li>
        ))}
        {entries.length === 0 && text !== "" && <li className="menu-group">{words.noOptions}</li>}
      </ul>
    </>
  )
}

/** Finds records by a part of their title; the newest ones while nothing is typed. */
function useFoundRecords(collection: string | null, titleField: string | null, text: string): readonly ConsoleRecord[] {
  const columns = { [titleField ?? "id"]: true }
  const where = titleField !== null && text !== "" ? { where: { [titleField]: { contains: text } } } : {}
  const options = collection === null ? null : { ...where, columns, limit: MAX_FOUND, total: false as const }
  const { data } = useFind(collectionHandle(collection ?? "users"), options)
  // Every record has an id.
  return (data?.docs ?? []) as readonly ConsoleRecord[]
}
