import { useLive, useMutation } from "kit/react"
import { useId, useState } from "react"
import { client } from "../../client.ts"
import { ErrorText } from "../../components/error-text.tsx"
import { useDeskWords } from "../words.ts"
import { Combobox } from "./combobox.tsx"
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

/** Suggests the tags whose names have what the user types, and creates the one that does not exist. */
function TagInput({ used, onAdd }: TagInputProps) {
  const words = useDeskWords().tags
  const [text, setText] = useState("")
  const { wanted, suggestions } = useSuggestions(text, used)
  return (
    <Combobox
      label={words.add}
      listLabel={words.label}
      maxLength={40}
      text={text}
      options={suggestions.map(({ name, isNew }) => ({ id: name, text: isNew ? words.create(name) : name }))}
      onText={setText}
      onTake={(option) => {
        const name = option?.id ?? wanted
        if (name !== "") onAdd(name)
      }}
    />
  )
}

/** The tags that the text of the user may mean. */
function useSuggestions(text: string, used: readonly string[]) {
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
  return { wanted, suggestions }
}
