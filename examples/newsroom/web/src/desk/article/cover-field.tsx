import { useLive, useMutation, useUpload } from "kit/react"
import { type DragEvent, useId, useState } from "react"
import { client } from "../../client.ts"
import { Button } from "../../components/button.tsx"
import { ErrorText } from "../../components/error-text.tsx"
import { Field } from "../../components/field.tsx"
import { useDeskWords } from "../words.ts"
import type { Article } from "./use-article.ts"

const { articles, media } = client.collections

interface CoverFieldProps {
  readonly article: Article
  readonly canEdit: boolean
}

/** The picture of the article. Choosing a new one uploads it, with its progress, and the user can stop it. */
export function CoverField({ article, canEdit }: CoverFieldProps) {
  const words = useDeskWords().cover
  const inputId = useId()
  const { id, cover } = article
  const { upload, progress, isPending, error, abort } = useUpload(media)
  const assign = useMutation((picture: string | null) => articles.updateById({ id, data: { cover: picture } }))
  const take = (file: File | undefined) => {
    if (!file || isPending) return
    upload(file).then(
      (picture) => assign.runSafe(picture.id),
      () => {
        // The hook shows the error; a stopped upload has none.
      },
    )
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    if (canEdit) take(event.dataTransfer.files[0])
  }
  return (
    <section
      className="panel"
      aria-labelledby={`${inputId}-title`}
      onDragOver={(event) => event.preventDefault()}
      onDrop={drop}
    >
      <h2 id={`${inputId}-title`} className="panel-title">
        {words.label}
      </h2>
      {cover && <img className="picture" src={cover.url} alt={cover.alt ?? ""} />}
      {cover && <AltField key={cover.id} id={cover.id} canEdit={canEdit} />}
      {isPending ? (
        <div className="picture-progress">
          <label htmlFor={`${inputId}-progress`}>{words.uploading(Math.round(progress))}</label>
          <progress id={`${inputId}-progress`} max={100} value={progress} />
          <Button look="quiet" onClick={abort}>
            {words.abort}
          </Button>
        </div>
      ) : (
        canEdit && (
          <div className="panel-actions">
            <label className="button button-plain" htmlFor={inputId}>
              {cover ? words.replace : words.choose}
            </label>
            <input
              id={inputId}
              className="unseen"
              type="file"
              accept="image/*"
              onChange={(event) => {
                take(event.target.files?.[0])
                // The same file can be chosen again after an error.
                event.target.value = ""
              }}
            />
            {cover && (
              <Button look="quiet" isBusy={assign.isPending} onClick={() => void assign.runSafe(null)}>
                {words.remove}
              </Button>
            )}
          </div>
        )
      )}
      <ErrorText text={(error ?? assign.error)?.message} />
    </section>
  )
}

interface AltFieldProps {
  readonly id: string
  readonly canEdit: boolean
}

/** The description of the picture, for readers who do not see it. It is saved when the user leaves the field. */
function AltField({ id, canEdit }: AltFieldProps) {
  const words = useDeskWords().cover
  const alt = useLive(media.record(id), { columns: { alt: true } }).data?.alt ?? ""
  const save = useMutation(media.updateById, { optimistic: (view, { data }) => view.patch(media, id, data) })
  const [edited, setEdited] = useState<string>()
  const leave = async () => {
    if (edited === undefined) return
    // The field shows the text as saved, and the user may go on typing.
    setEdited(undefined)
    if (edited === alt) return
    const { error } = await save.runSafe({ id, data: { alt: edited } })
    if (error) setEdited((newer) => newer ?? edited)
  }
  return (
    <Field label={words.alt} error={save.error?.message}>
      {(control) => (
        <input
          {...control}
          disabled={!canEdit}
          maxLength={200}
          value={edited ?? alt}
          onChange={(event) => setEdited(event.target.value)}
          onBlur={() => void leave()}
        />
      )}
    </Field>
  )
}
