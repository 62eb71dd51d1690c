import { useLive } from "kit/react"
import { type MouseEvent, useId, useState } from "react"
import { client } from "../../client.ts"
import { ErrorText } from "../../components/error-text.tsx"
import { type Stage, WORKING_COPY } from "../stages.ts"
import { useDeskWords } from "../words.ts"
import { Combobox } from "./combobox.tsx"
import { type RelatedArticle, useRelated } from "./use-related.ts"

const { articles } = client.collections
const MAX_SUGGESTIONS = 6

interface RelatedPickerProps {
  /** The id of the article that is open. */
  readonly id: string
  readonly canEdit: boolean
}

/** The articles to read next, in the order in which readers see them. */
export function RelatedPicker({ id, canEdit }: RelatedPickerProps) {
  const words = useDeskWords().related
  const titleId = useId()
  const { related, add, remove, move, error } = useRelated(id)
  const [announcement, setAnnouncement] = useState("")
  const moveTo = (article: RelatedArticle, index: number) => {
    if (index < 0 || index >= related.length) return
    setAnnouncement(words.moved(article.title, index + 1, related.length))
    move(article, index)
  }
  return (
    <section className="panel" aria-labelledby={titleId}>
      <h2 id={titleId} className="panel-title">
        {words.label}
      </h2>
      <p className="desk-note">{related.length === 0 ? words.none : words.hint}</p>
      {related.length > 0 && (
        <ol className="chosen" aria-labelledby={titleId}>
          {related.map((article, index) => (
            <li key={article.id}>
              <span className="chosen-place" aria-hidden="true">
                {index + 1}
              </span>
              <Title article={article} />
              {canEdit && (
                <Tools
                  article={article}
                  isFirst={index === 0}
                  isLast={index === related.length - 1}
                  onUp={() => moveTo(article, index - 1)}
                  onDown={() => moveTo(article, index + 1)}
                  onRemove={() => remove(article)}
                />
              )}
            </li>
          ))}
        </ol>
      )}
      {canEdit && <RelatedInput used={[id, ...related.map((each) => each.id)]} onAdd={add} />}
      <ErrorText text={error?.message} />
      <p className="unseen" role="status">
        {announcement}
      </p>
    </section>
  )
}

/** The title; and the stage, if readers will not see the article yet. */
function Title({ article: { title, stage } }: { readonly article: RelatedArticle }) {
  const words = useDeskWords()
  return (
    <span className="chosen-title">
      {title}
      {stage !== "published" && <small>{words.stages[stage]}</small>}
    </span>
  )
}

interface ToolsProps {
  readonly article: RelatedArticle
  readonly isFirst: boolean
  readonly isLast: boolean
  onUp(): void
  onDown(): void
  onRemove(): void
}

/** A button that can do nothing at its place stays in the order of the keyboard: a move takes no focus away. */
function Tools({ article: { title }, isFirst, isLast, onUp, onDown, onRemove }: ToolsProps) {
  const words = useDeskWords().related
  const removeHere = (event: MouseEvent<HTMLElement>) => {
    focusBeside(event.currentTarget)
    onRemove()
  }
  return (
    <span className="chosen-tools">
      <button type="button" aria-label={words.up(title)} aria-disabled={isFirst} onClick={onUp}>
        <span aria-hidden="true">↑</span>
      </button>
      <button type="button" aria-label={words.down(title)} aria-disabled={isLast} onClick={onDown}>
        <span aria-hidden="true">↓</span>
      </button>
      <button type="button" aria-label={words.remove(title)} onClick={removeHere}>
        <span aria-hidden="true">×</span>
      </button>
    </span>
  )
}

// The row of the button goes away, and would take the focus with it.
function focusBeside(button: HTMLElement): void {
  const row = button.closest("li")
  const beside = row?.nextElementSibling ?? row?.previousElementSibling
  const next = beside?.querySelector<HTMLElement>("button:last-child")
  const input = row?.closest("section")?.querySelector("input")
  const target = next ?? input
  target?.focus()
}

interface RelatedInputProps {
  /** The ids of the articles that cannot be added: those of the list, and the one that is open. */
  readonly used: readonly string[]
  onAdd(article: RelatedArticle): void
}

/** Suggests the articles whose titles have what the user types. */
function RelatedInput({ used, onAdd }: RelatedInputProps) {
  const words = useDeskWords()
  const [text, setText] = useState("")
  const wanted = text.trim()
  const found = useLive(
    articles,
    wanted === ""
      ? null
      : {
          stage: WORKING_COPY,
          where: { title: { contains: wanted }, id: { notIn: used } },
          columns: { title: true, stage: true },
          orderBy: { updatedAt: "desc" },
          limit: MAX_SUGGESTIONS,
        },
  )
  const suggestions = wanted === "" ? [] : (found.data?.docs ?? []).filter(({ id }) => !used.includes(id))
  return (
    <Combobox
      label={words.related.add}
      listLabel={words.related.label}
      maxLength={200}
      text={text}
      options={suggestions.map(({ id, title, stage }) => ({ id, text: title, ...noteOf(words.stages, stage) }))}
      onText={setText}
      onTake={(option) => {
        const article = suggestions.find(({ id }) => id === option?.id)
        if (article) onAdd(article)
      }}
    />
  )
}

function noteOf(stages: Readonly<Record<Stage, string>>, stage: Stage) {
  return stage === "published" ? {} : { note: stages[stage] }
}
