import { Plus, Search, X } from "lucide-react"
import { useEffect, useState } from "react"
import { Link } from "wouter"
import { AsCodeButton } from "../../as-code/as-code-button.tsx"
import { useAppIndex } from "../../kit/descriptions.ts"
import { useContentLocales } from "../../kit/locales/use-content-locales.ts"
import { Icon } from "../../parts/icon.tsx"
import { LocaleSwitch } from "../../parts/locale-marks.tsx"
import { newRecordPath } from "../../routes.ts"
import { useWords } from "../../words/words.ts"
import { DisplaySettings } from "./display-settings.tsx"
import { groupingOf } from "./groups/grouping.ts"
import type { ListBarProps } from "./list-bar-props.ts"
import { listExamples } from "./list-code.ts"
import { canBeSearched } from "./list-options.ts"
import { useHasLocales } from "./locales/use-list-schema.ts"

/** The upper edge of a list: where one is, how much there is, and what can be done. */
export function ListBar(props: ListBarProps) {
  const words = useWords("list")
  const { schema, mayCreate, list } = props
  const { count } = list
  return (
    <header className="bar list-bar">
      <h1>{schema.label}</h1>
      {count.count !== undefined && <span className="count number">{words.count(count.count, count.isMore)}</span>}
      <span className="rest" />
      {canBeSearched(schema) && <SearchField {...props} />}
      <LocaleChoice {...props} />
      <DisplaySettings {...props} />
      <ListCode {...props} />
      {mayCreate && (
        <Link className="button primary" href={newRecordPath(schema.name)}>
          <Icon of={Plus} />
          <span className="create-label">{words.create(schema.singularLabel, schema.label)}</span>
          <kbd className="on-desk" aria-hidden>
            N
          </kbd>
        </Link>
      )}
    </header>
  )
}

/** The language in which the list shows its texts. */
function LocaleChoice({ schema, state, change }: ListBarProps) {
  const { locale } = useAppIndex()
  const locales = useContentLocales()
  if (!useHasLocales(schema)) return null
  const choose = (chosen: string) => change({ locale: chosen === locale ? null : chosen })
  return <LocaleSwitch locales={locales} chosen={state.locale ?? locale} onChoose={choose} />
}

/** The calls behind the list, as soon as it is known what it has. */
function ListCode({ schema, state, list: { filter, options } }: ListBarProps) {
  const { locale, locales } = useAppIndex()
  if (filter === null || options === null) return null
  const named = locales.all.length > 1 ? (state.locale ?? locale) : null
  const shown = { collection: schema.name, filter, options, locale: named, grouping: groupingOf(schema, state.group) }
  return <AsCodeButton examples={() => listExamples(shown)} />
}

const TYPING_PAUSE_MS = 200

function SearchField({ schema, state, change, search }: ListBarProps) {
  const words = useWords("list")
  const [text, setText] = useState(state.search)
  // Back and the views change the search, too.
  useEffect(() => setText(state.search), [state.search])
  useEffect(() => {
    if (text === state.search) return undefined
    const timer = setTimeout(() => change({ search: text }, { isTyping: state.search !== "" }), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text, state.search, change])
  return (
    <search className="search-field">
      <Icon of={Search} />
      <input
        ref={search}
        type="text"
        maxLength={500}
        value={text}
        placeholder={words.search(schema.label)}
        aria-label={words.search(schema.label)}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape" && text !== "") setText("")
        }}
      />
      {text !== "" && (
        <button type="button" aria-label={words.clearSearch} onClick={() => setText("")}>
          <Icon of={X} />
        </button>
      )}
    </search>
  )
}
