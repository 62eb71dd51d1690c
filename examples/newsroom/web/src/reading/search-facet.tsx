import { useWords } from "../shell/language.ts"
import { changeSearch } from "./change-search.ts"

interface FacetProps {
  /** The name of the filter in the address. */
  readonly name: string
  readonly title: string
  readonly counts: readonly FacetCount[] | undefined
  readonly chosen: string | undefined
  labelOf(value: unknown): string | undefined
}

interface FacetCount {
  readonly value?: unknown
  readonly count: number
}

/** The values of a field among the articles that were found, with their numbers. One of them can be chosen. */
export function Facet({ name, title, counts = [], chosen, labelOf }: FacetProps) {
  const words = useWords()
  if (counts.length === 0 && chosen === undefined) return null
  // A chosen value stays, so that it can be cleared when nothing is found.
  const isCounted = chosen === undefined || counts.some(({ value }) => value === chosen)
  const values = isCounted ? counts : [{ value: chosen, count: 0 }, ...counts]
  return (
    <fieldset className="facet">
      <legend>{title}</legend>
      {values.map(({ value, count }) => (
        <label key={String(value)} className="facet-value">
          <input
            type="checkbox"
            checked={chosen === value}
            onChange={(event) => changeSearch(name, event.target.checked ? String(value) : undefined)}
          />
          <span>{labelOf(value) ?? "…"}</span>
          <span className="facet-count">{count}</span>
        </label>
      ))}
      {chosen !== undefined && (
        <button type="button" className="link-button" onClick={() => changeSearch(name, undefined)}>
          {words.find.clear}
        </button>
      )}
    </fieldset>
  )
}
