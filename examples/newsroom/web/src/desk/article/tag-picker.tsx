import { useLive, useMutation } from "kit/react"
import { type KeyboardEvent, useId, useState } from "react"
import { client } from "../../client.ts"
import { ErrorText } from "../../components/error-text.tsx"
import { useDeskWords } from "../words.ts"
import type { Article } from "./use-article.ts"

const { articles, tags } = client.collections
const MAX_SUGGESTIONS = 6

interface TagPickerProps {
  readonly article: Article
  readonly canEdit: boolean
}

/** The tags of the article. Typing suggests known tags, and creates a new one if there is none of that name. */
export function TagPicker({ article, canEdit }: TagPickerProps) {
  const words = useDeskWords().tags
  const id = useId()
  const add = useMutation((name: string) =>
    articles.updateById({ id: article.id, data: { tags: { connectOrCreate: { where: { name }, create: { name } } } } }),
  )
  const remove = useMutation((tag: string) =>
    articles.updateById({ id: article.id, data: { tags: { disconnect: [tag] } } }),
  )
  return (
    <section className="panel" aria-labelledby={id}>
      <h2 id={id} className="panel-title">
        {words.label}
      </h2>
      <ul className="tags" aria-labelledby={id}>
        {article.tags.map((tag) => (
          <li key={tag.id} className="tag">
            {tag.name}
            {canEdit && (
              <button type="button" aria-label={words.remove(tag.name)} onClick={() => void remove.runSafe(tag.id)}>
                <span aria-hidden="true">×</span>
              </button>
            )}
          </li>
        ))}
      </ul>
      {canEdit && <TagInput used={article.tags.map(({ name }) => name)} onAdd={(name) => void add.runSafe(name)} />}
      <ErrorText text={(add.error ?? remove.error)?.message} />
    </section>
  )
}

interface TagInputProps {
  readonly used: readonly string[]
  onAdd(name: string): void
}

/** A combobox: the arrow keys choose among the suggestions, Enter takes one, Escape closes them. */
function TagInput({ used, onAdd }: TagInputProps) {
  const words = useDeskWords().tags
  const id = useId()
  const { text, setText, wanted, suggestions, chosen, setChosen } = useSuggestions(used)
  const [isFocused, setIsFocused] = useState(false)
  const isOpen = isFocused && suggestions.length > 0
  const take = (name: string) => {
    if (name !== "") onAdd(name)
    setText("")
  }
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && isOpen) setChosen((chosen + step + suggestions.length) % suggestions.length)
    else if (event.key === "Enter") take(suggestions[chosen]?.name ?? wanted)
    else if (event.key === "Escape") setText("")
    else return
    event.preventDefault()
  }
  return (
    <div className="tag-input">
      <input
        role="combobox"
        aria-label={words.add}
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${id}-list` : undefined}
        aria-activedescendant={isOpen ? `${id}-${chosen}` : undefined}
        autoComplete="off"
        placeholder={words.add}
        maxLength={40}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={press}
        onFocus={() => setIsFocused(true)}
        onBlur={() => setIsFocused(false)}
      />
      {isOpen && (
        <div id={`${id}-list`} role="listbox" aria-label={words.label} className="tag-options">
          {suggestions.map(({ name, isNew }, index) => (
            <button
              key={name}
              type="button"
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === chosen}
              // The input keeps the focus.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => take(name)}
            >
              {isNew ? words.create(name) : name}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}

/** The text that the user types, and the tags that it may mean. */
function useSuggestions(used: readonly string[]) {
  const [text, setTextAlone] = useState("")
  const [chosen, setChosen] = useState(0)
  const wanted = text.trim().toLowerCase()
  const found = useLive(
    tags,
    wanted === ""
      ? null
      : { where: { name: { contains: wanted } }, orderBy: { name: "asc" }, columns: { name: true }, limit: 20 },
  )
  const known = found.data?.docs.map(({ name }) => name) ?? []
  const unused = known.filter((name) => !used.includes(name) && name.includes(wanted)).slice(0, MAX_SUGGESTIONS)
  const isNew = wanted !== "" && found.status === "live" && !known.includes(wanted) && !used.includes(wanted)
  const suggestions =
    wanted === ""
      ? []
      : [...unused.map((name) => ({ name, isNew: false })), ...(isNew ? [{ name: wanted, isNew }] : [])]
  const setText = (changed: string) => {
    setTextAlone(changed)
    setChosen(0)
  }
  return { text, setText, wanted, suggestions, chosen: Math.min(chosen, suggestions.length - 1), setChosen }
}
