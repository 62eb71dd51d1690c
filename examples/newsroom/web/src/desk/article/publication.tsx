import { useMutation } from "kit/react"
import { type FormEvent, useState } from "react"
import { client } from "../../client.ts"
import { Button } from "../../components/button.tsx"
import { ErrorText } from "../../components/error-text.tsx"
import { Field } from "../../components/field.tsx"
import { useDates } from "../../shell/language.ts"
import { Link } from "../../shell/router.tsx"
import { nameOfMove } from "../board/board-card.tsx"
import { movesFrom } from "../stages.ts"
import { usePendingTransition } from "../use-pending-transition.ts"
import { useTransitionStage } from "../use-transition-stage.ts"
import { useDeskWords } from "../words.ts"
import type { Article } from "./use-article.ts"

const { articles } = client.collections
const { desk } = client.channels

interface PublicationProps {
  readonly article: Article
  readonly isEditor: boolean
}

/** Where the article stands on its way to the readers, and the next steps. */
export function Publication({ article, isEditor }: PublicationProps) {
  const words = useDeskWords()
  const { id, stage, slug, changedSincePublished } = article
  const transition = useTransitionStage()
  const isChanged = changedSincePublished === true
  return (
    <section className="panel" aria-labelledby="publication">
      <h2 id="publication" className="panel-title">
        {words.publication.label}
      </h2>
      <StageText article={article} />
      {isChanged && (
        <p>
          <span className="changed">{words.changed}</span>
          {words.publication.changed}
        </p>
      )}
      <div className="panel-actions">
        {isChanged && isEditor && (
          <Button
            look="primary"
            isBusy={transition.isPending}
            onClick={() => void transition.runSafe({ id, stage: "published" })}
          >
            {words.publication.publishChanges}
          </Button>
        )}
        {movesFrom(stage, isEditor)
          .toReversed()
          .map((to) => (
            <Button
              key={to}
              look={to === "draft" ? "quiet" : "primary"}
              isBusy={transition.isPending}
              onClick={() => void transition.runSafe({ id, stage: to })}
            >
              {nameOfMove(words, stage, to)}
            </Button>
          ))}
        {stage === "published" && <Link to={`/articles/${slug}`}>{words.publication.show}</Link>}
      </div>
      <ErrorText text={transition.error?.message} />
      {isEditor && stage === "review" && <Schedule article={article} />}
    </section>
  )
}

function StageText({ article }: { readonly article: Article }) {
  const words = useDeskWords()
  const dates = useDates()
  const { stage, publishedAt } = article
  const text =
    stage === "published"
      ? words.publication.published(publishedAt ? dates.ago(publishedAt) : "")
      : words.publication[stage]
  return (
    <p>
      <span className={`stage stage-${stage}`}>{words.stages[stage]}</span> {text}
    </p>
  )
}

/** Sets the time of publication, or shows and cancels the one that is set. */
function Schedule({ article }: { readonly article: Article }) {
  const { id, stage, team } = article
  const words = useDeskWords()
  const dates = useDates()
  const [scheduledAt, show] = usePendingTransition({ id, stage, isEditor: true })
  const announce = useMutation(desk.publish)
  const onChange = (at: Date | undefined) => {
    show(at)
    // The colleagues read the time again.
    void announce.runSafe({ params: { team }, event: "scheduled", data: { article: id } })
  }
  const schedule = useMutation((at: Date) => articles.transitionStage({ id, stage: "published", scheduledAt: at }), {
    onSuccess: (_, at) => onChange(at),
  })
  const cancel = useMutation(articles.cancelTransition, { onSuccess: () => onChange(undefined) })
  const [problem, setProblem] = useState<string>()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // The control gives a time without a zone, which means the zone of the user.
    const at = new Date(String(new FormData(event.currentTarget).get("at")))
    const isLater = at.getTime() > Date.now()
    setProblem(isLater ? undefined : words.publication.future)
    if (isLater) void schedule.runSafe(at)
  }
  if (scheduledAt) {
    return (
      <div className="schedule">
        <p className="scheduled">{words.scheduledFor(dates.moment(scheduledAt))}</p>
        <Button look="quiet" isBusy={cancel.isPending} onClick={() => void cancel.runSafe({ id })}>
          {words.publication.cancel}
        </Button>
        <ErrorText text={cancel.error?.message} />
      </div>
    )
  }
  return (
    <form className="schedule" onSubmit={submit} noValidate>
      <Field label={words.publication.at} error={problem ?? schedule.error?.message}>
        {(control) => <input {...control} type="datetime-local" name="at" />}
      </Field>
      <Button type="submit" isBusy={schedule.isPending}>
        {words.publication.schedule}
      </Button>
    </form>
  )
}
