import { useId, useState } from "react"
import { Notice, Problem, Skeleton } from "../../components/notice.tsx"
import { useLanguage } from "../../shell/language.ts"
import { Link } from "../../shell/router.tsx"
import type { SignedInUser } from "../../shell/session.ts"
import { useTitle } from "../../shell/use-title.ts"
import { useTeam } from "../teams.ts"
import { useDeskWords } from "../words.ts"
import { BodyEditor } from "./body-editor.tsx"
import { CoverField } from "./cover-field.tsx"
import { DetailsForm, type Edits } from "./details-form.tsx"
import { History } from "./history.tsx"
import { Publication } from "./publication.tsx"
import { RelatedPicker } from "./related-picker.tsx"
import { TagPicker } from "./tag-picker.tsx"
import { type Article, LOCALES, type Locale, useArticle, useTitleInEnglish } from "./use-article.ts"

interface ArticleFormProps {
  readonly id: string
  readonly user: SignedInUser
}

/** Everything about one article: its texts in both languages, tags, cover, and the way to its publication. */
export function ArticleForm({ id, user }: ArticleFormProps) {
  const words = useDeskWords()
  const { language } = useLanguage()
  const [locale, setLocale] = useState<Locale>(language)
  const article = useArticle(id, locale)
  const title = useTitleInEnglish(id)
  useTitle(title ?? words.desk)
  if (article.status === "error") return <Problem error={article.error} />
  if (article.status === "pending" && !article.data) return <Skeleton lines={8} />
  if (!article.data) {
    return (
      <Notice title={words.missing}>
        <BackToBoard />
      </Notice>
    )
  }
  return (
    <section className="desk">
      <header className="open-head">
        <h1 className="unseen">{title}</h1>
        <BackToBoard />
        <LocaleSwitch locale={locale} onChoose={setLocale} />
      </header>
      <OpenArticle article={article.data} locale={locale} user={user} title={title} />
    </section>
  )
}

interface OpenArticleProps {
  readonly article: Article
  readonly locale: Locale
  readonly user: SignedInUser
  /** The title in the default language. */
  readonly title: string | undefined
}

function OpenArticle({ article, locale, user, title }: OpenArticleProps) {
  const words = useDeskWords()
  const isEditor = useTeam(article.team)?.isEditor ?? false
  const canEdit = isEditor || article.stage !== "published"
  const [edits, setEdits] = useState<Readonly<Record<Locale, Edits>>>({ en: {}, sk: {} })
  const changeEdits = (change: (edits: Edits) => Edits) =>
    setEdits((current) => ({ ...current, [locale]: change(current[locale]) }))
  return (
    <div className="open-layout">
      <div className="open-main">
        {!canEdit && <p className="desk-note">{words.readOnly}</p>}
        <DetailsForm
          key={locale}
          article={article}
          locale={locale}
          canEdit={canEdit}
          translated={title}
          edits={edits[locale]}
          changeEdits={changeEdits}
        />
        <BodyEditor id={article.id} locale={locale} user={user} />
      </div>
      <aside className="open-side" aria-label={words.publication.label}>
        <Publication article={article} isEditor={isEditor} />
        <CoverField article={article} canEdit={canEdit} />
        <TagPicker article={article} canEdit={canEdit} />
        <RelatedPicker id={article.id} canEdit={canEdit} />
        <History article={article} canEdit={canEdit} />
      </aside>
    </div>
  )
}

function BackToBoard() {
  return (
    <Link to="/desk" className="back">
      <span aria-hidden="true">← </span>
      {useDeskWords().toBoard}
    </Link>
  )
}

interface LocaleSwitchProps {
  readonly locale: Locale
  onChoose(locale: Locale): void
}

function LocaleSwitch({ locale, onChoose }: LocaleSwitchProps) {
  const words = useDeskWords()
  const name = useId()
  return (
    <fieldset className="switch switch-words">
      <legend className="unseen">{words.language}</legend>
      {LOCALES.map((each) => (
        <label key={each}>
          <input type="radio" name={name} checked={each === locale} onChange={() => onChoose(each)} />
          <span>{words.languages[each]}</span>
        </label>
      ))}
    </fieldset>
  )
}
