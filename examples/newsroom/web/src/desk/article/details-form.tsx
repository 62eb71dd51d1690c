import { useMutation } from "kit/react"
import type { FormEvent } from "react"
import { client } from "../../client.ts"
import { Button } from "../../components/button.tsx"
import { ErrorText } from "../../components/error-text.tsx"
import { Field } from "../../components/field.tsx"
import { useWords } from "../../shell/language.ts"
import { WORKING_COPY } from "../stages.ts"
import { useDeskWords } from "../words.ts"
import type { Article, Locale } from "./use-article.ts"

const { articles } = client.collections
const KINDS = ["news", "report", "opinion"] as const

type Details = Pick<Article, "title" | "summary" | "slug" | "kind" | "notes">

/** The fields that this user has changed and not saved yet. */
export type Edits = Partial<Details>

interface DetailsFormProps {
  readonly article: Article
  readonly locale: Locale
  readonly canEdit: boolean
  /** The title in the default language, for those who translate. */
  readonly translated: string | undefined
  /** They are kept outside of the form, so that those of one language survive a look at the other one. */
  readonly edits: Edits
  changeEdits(change: (edits: Edits) => Edits): void
}

/** The plain fields of an article. Changes of others appear in all fields that this user has not changed. */
export function DetailsForm(props: DetailsFormProps) {
  const { article, locale, canEdit, translated, edits, changeEdits } = props
  const words = useDeskWords()
  const { kinds } = useWords()
  const { save, submit } = useSave(props)
  const change = (changed: Edits) => changeEdits((current) => ({ ...current, ...changed }))
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
                    {kinds[kind]}
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
        {Object.keys(save.fieldErrors).length === 0 && <ErrorText text={save.error?.message} />}
        <div className="details-actions">
          <Button look="primary" type="submit" isBusy={save.isPending} disabled={!isChanged}>
            {words.save}
          </Button>
          <p className="desk-note" role="status">
            {save.isPending ? words.saving : isChanged ? words.unsaved : words.saved}
          </p>
        </div>
      </fieldset>
    </form>
  )
}

/** Sends the changes of this user to the server. */
function useSave({ article: { id }, locale, edits, changeEdits }: DetailsFormProps) {
  const save = useMutation(
    (data: Edits, call) => articles.updateById({ id, data: toInput(data, locale) }, { ...call, locale }),
    { optimistic: (view, data) => view.in({ stage: WORKING_COPY, locale }).patch(articles, id, data) },
  )
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    // The page shows the values as saved, and the user may go on typing.
    changeEdits(() => ({}))
    const { error } = await save.runSafe(edits)
    if (error) changeEdits((newer) => ({ ...edits, ...newer }))
  }
  return { save, submit }
}

/** An empty translation is removed, so that readers get the text of the default language. */
function toInput({ title, summary, ...rest }: Edits, locale: Locale) {
  const isDefault = locale === "en"
  return {
    ...rest,
    ...(title !== undefined && { title: title === "" && !isDefault ? null : title }),
    ...(summary !== undefined && { summary: summary === "" ? null : summary }),
  }
}
