import { useMutation } from "kit/react"
import { type FormEvent, useRef } from "react"
import { client } from "../../client.ts"
import { Button } from "../../components/button.tsx"
import { ErrorText } from "../../components/error-text.tsx"
import { Field } from "../../components/field.tsx"
import { navigate } from "../../shell/router.tsx"
import type { SignedInUser } from "../../shell/session.ts"
import { useTeams } from "../teams.ts"
import { useDeskWords } from "../words.ts"

interface NewArticleProps {
  readonly user: SignedInUser
  /** The team whose board is shown, which is the first choice. */
  readonly team: string | undefined
}

/** The button for a new article, and the dialog that asks for its title and team. */
export function NewArticle({ user, team }: NewArticleProps) {
  const words = useDeskWords().newArticle
  const teams = useTeams()
  const dialog = useRef<HTMLDialogElement>(null)
  const create = useMutation(client.collections.articles.create, { onSuccess: ({ id }) => navigate(`/desk/${id}`) })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const title = String(form.get("title"))
    void create.runSafe({ title, slug: slugOf(title), team: String(form.get("team")), author: user.id })
  }
  return (
    <>
      <Button look="primary" onClick={() => dialog.current?.showModal()}>
        {words.open}
      </Button>
      <dialog ref={dialog} className="desk-dialog" aria-labelledby="new-article" onClose={create.reset}>
        <form onSubmit={submit}>
          <h2 id="new-article">{words.open}</h2>
          <Field label={words.title} error={create.fieldErrors["title"]?.[0]}>
            {(control) => <input {...control} name="title" maxLength={200} autoComplete="off" />}
          </Field>
          <Field label={words.team}>
            {(control) => (
              <select {...control} name="team" defaultValue={team ?? teams[0]?.id}>
                {teams.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            )}
          </Field>
          {!create.fieldErrors["title"] && <ErrorText text={create.error?.message} />}
          <div className="desk-dialog-actions">
            <Button look="quiet" onClick={() => dialog.current?.close()}>
              {words.cancel}
            </Button>
            <Button look="primary" type="submit" isBusy={create.isPending}>
              {words.create}
            </Button>
          </div>
        </form>
      </dialog>
    </>
  )
}

/** Makes an address of a title. Its end is random, so that two articles may have the same title. */
function slugOf(title: string): string {
  const words = title
    .normalize("NFD")
    .replaceAll(/\p{Diacritic}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, 100)
  return `${words}-${Math.random().toString(36).slice(2, 6)}`.replaceAll(/^-+|-+$/g, "")
}
