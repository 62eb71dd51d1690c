import { useMutation } from "kit/react"
import { type FormEvent, useState } from "react"
import { client } from "../../client.ts"
import { Button } from "../../components/button.tsx"
import { Field } from "../../components/field.tsx"
import { useDeskWords } from "../words.ts"
import type { Article, Locale } from "./use-article.ts"

const { articles } = client.collections
const KINDS = ["news", "report", "opinion"] as const

type Details = Pick<Article, "title" | "summary" | "slug" | "kind" | "notes">

interface DetailsFormProps {
  readonly article: Article
  readonly locale: Locale
  readonly canEdit: boolean
  /** The title in the default language, for those who translate. */
  readonly translated: string | undefined
}

/**
 * The plain fields of an article. It keeps only what this user has changed, so that changes of others appear in all other
 * fields while the user types.
 */
export function DetailsForm({ article, locale, canEdit, translated }: DetailsFormProps) {
  const words = useDeskWords()
  const { edits, change, save, submit } = useDetails(article, locale)
  const value = { ...article, ...edits }
  const errorOf = (field: keyof Details) => save.fieldErrors[field]?.[0]
  const isChanged = Object.keys(edits).length > 0
  const isTranslation = locale !== "en" && translated !== undefined
  return (
    <form className="details" onSubmit={submit} noValidate>
      <fieldset disabled={!canEdit}>
        <Field
          label={words.fields.title}
          hint={isTranslation ? words.fields.translation(translated) : undefined}
          error={errorOf("title")}
        >
          {(control) => (
            <textarea
              {...control}
              className="details-title"
              rows={1}
              lang={locale}
              value={value.title ?? ""}
              onChange={(event) => change({ title: event.target.value.replaceAll("\n", " ") })}
            />
          )}
        </Field>
        <Field label={words.fields.summary} error={errorOf("summary")}>
          {(control) => (
            <textarea
              {...control}
              rows={3}
              lang={locale}
              value={value.summary ?? ""}
              onChange={(event) => change({ summary: event.target.value })}
            />
          )}
        </Field>
        <div className="details-row">
          <Field label={words.fields.slug} hint={words.fields.slugHint} error={errorOf("slug")}>
            {(control) => (
              <input {...control} value={value.slug} onChange={(event) => change({ slug: event.target.value })} />
            )}
          </Field>
          <Field label={words.fields.kind} error={errorOf("kind")}>
            {(control) => (
              <select
                {...control}
                value={value.kind}
                onChange={(event) => change({ kind: KINDS.find((kind) => kind === event.target.value) ?? "news" })}
              >
                {KINDS.map((kind) => (
                  <option key={kind} value={kind}>
                    {words.kinds[kind]}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </div>
        <Field label={words.fields.notes} error={errorOf("notes")}>
          {(control) => (
            <textarea
              {...control}
              rows={2}
              value={value.notes ?? ""}
              onChange={(event) => change({ notes: event.target.value })}
            />
          )}
        </Field>
        {save.error && Object.keys(save.fieldErrors).length === 0 && (
          <p className="field-error" role="alert">
            {save.error.message}
          </p>
        )}
        <div className="details-actions">
          <Button look="primary" type="submit" isBusy={save.isPending} disabled={!isChanged}>
            {words.save}
          </Button>
          <p className="desk-note" role="status">
            {isChanged ? words.unsaved : words.saved}
          </p>
        </div>
      </fieldset>
    </form>
  )
}

/** The changes of this user, and their way to the server. */
function useDetails({ id }: Article, locale: Locale) {
  const [edits, setEdits] = useState<Partial<Details>>({})
  const save = useMutation(
    (data: Partial<Details>, call) => articles.updateById({ id, data: toInput(data, locale) }, { ...call, locale }),
    { optimistic: (view, data) => view.in({ locale }).patch(articles, id, data) },
  )
  const change = (changed: Partial<Details>) => setEdits((current) => ({ ...current, ...changed }))
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    // The page shows the values as saved, and the user may go on typing.
    setEdits({})
    const { error } = await save.runSafe(edits)
    if (error) setEdits((newer) => ({ ...edits, ...newer }))
  }
  return { edits, change, save, submit }
}

/** An empty translation is removed, so that readers get the text of the default language. */
function toInput({ title, summary, ...rest }: Partial<Details>, locale: Locale) {
  const isDefault = locale === "en"
  return {
    ...rest,
    ...(title !== undefined && { title: title === "" && !isDefault ? null : title }),
    ...(summary !== undefined && { summary: summary === "" ? null : summary }),
  }
}
