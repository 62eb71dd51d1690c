import type { Key } from "react-aria-components/Menu"
import { Menu as AriaMenu, MenuItem as AriaMenuItem, MenuTrigger } from "react-aria-components/Menu"
import { Popover } from "react-aria-components/Popover"
import type { ContentLocale } from "../kit/locales/content-locales.ts"
import { useWords } from "../words/words.ts"
import { Button } from "./button.tsx"

interface LocaleMarkProps {
  readonly of: ContentLocale
  /** False if the text is missing in the language: the mark is drawn hollow. */
  readonly isFilled: boolean
}

/** A small mark of a language, hollow where the text is missing. It says nothing to screen readers. */
export function LocaleMark({ of: { mark, name }, isFilled }: LocaleMarkProps) {
  return (
    // The letters are drawn by the style: the name of a button with the mark is the name of the language.
    <span aria-hidden title={name} data-mark={mark} className={isFilled ? "locale filled" : "locale hollow"} />
  )
}

interface LocaleMarksProps {
  readonly locales: readonly ContentLocale[]
  /** The locales in which all texts are there. */
  readonly filled: ReadonlySet<string>
  /** A locale whose mark is drawn elsewhere. */
  readonly without?: string
}

/** The marks of all languages, those in which a text is missing hollow. */
export function LocaleMarks({ locales, filled, without }: LocaleMarksProps) {
  const words = useWords("locales")
  const missing = locales.filter(({ locale }) => !filled.has(locale)).map(({ name }) => name)
  return (
    <span className="locales">
      {locales
        .filter(({ locale }) => locale !== without)
        .map((each) => (
          <LocaleMark key={each.locale} of={each} isFilled={filled.has(each.locale)} />
        ))}
      <span className="visually-hidden">{missing.length === 0 ? words.complete : words.missing(missing)}</span>
    </span>
  )
}

interface LocaleSwitchProps {
  readonly locales: readonly ContentLocale[]
  readonly chosen: string
  readonly onChoose: (locale: string) => void
  /** The locales in which all texts are there; undefined while it is not known, or not asked. */
  readonly filled?: ReadonlySet<string> | undefined
}

/** A button with the language of the texts that are shown, which opens the list of all languages. */
export function LocaleSwitch({ locales, chosen, onChoose, filled }: LocaleSwitchProps) {
  const words = useWords("locales")
  const shown = locales.find(({ locale }) => locale === chosen)
  const choose = (keys: "all" | Set<Key>) => {
    const [key] = keys === "all" ? [] : keys
    if (key !== undefined) onChoose(String(key))
  }
  return (
    <MenuTrigger>
      <Button look="quiet" aria-label={words.textsIn(shown?.name ?? chosen)}>
        {shown && <LocaleMark of={shown} isFilled={filled?.has(chosen) ?? true} />}
        <span className="on-desk">{shown?.name ?? chosen}</span>
      </Button>
      <Popover className="floating menu-popover" placement="bottom end" offset={4}>
        <AriaMenu
          className="menu-list"
          aria-label={words.language}
          selectionMode="single"
          selectedKeys={[chosen]}
          disallowEmptySelection
          onSelectionChange={choose}
        >
          {locales.map((each) => (
            <AriaMenuItem key={each.locale} id={each.locale} textValue={each.name} className="menu-item">
              <LocaleMark of={each} isFilled={filled?.has(each.locale) ?? true} />
              <span>
                {each.name}
                {filled?.has(each.locale) === false && <small>{words.incomplete}</small>}
              </span>
            </AriaMenuItem>
          ))}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  )
}
