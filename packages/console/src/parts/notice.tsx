import { QuestpieClientError } from "kit/client"
import type { ReactNode } from "react"
import { useWords } from "../words/words.ts"

interface NoticeProps {
  readonly title: string
  readonly children?: ReactNode
}

/** Says in the place of a list or a form why it is not there, and what to do. */
export function Notice({ title, children }: NoticeProps) {
  return (
    <section className="notice">
      <h2>{title}</h2>
      {children}
    </section>
  )
}

interface FailureProps {
  readonly title: string
  readonly error: Error
  readonly onRetry?: () => void
}

/** Shows the words of the API, and the id under which the request is found in the log. */
export function Failure({ title, error, onRetry }: FailureProps) {
  const words = useWords("shell")
  return (
    <Notice title={title}>
      <p role="alert">{error.message}</p>
      <RequestId error={error} />
      {onRetry && (
        <button type="button" className="button" onClick={onRetry}>
          {words.tryAgain}
        </button>
      )}
    </Notice>
  )
}

/** The id under which a failed request is found in the log of the server. */
export function RequestId({ error }: { readonly error: Error }) {
  const words = useWords("shell")
  const requestId = error instanceof QuestpieClientError ? error.requestId : undefined
  if (requestId === undefined) return null
  return (
    <p className="request-id">
      {words.request} <code>{requestId}</code>
      <button type="button" className="button quiet" onClick={() => void navigator.clipboard.writeText(requestId)}>
        {words.copy}
      </button>
    </p>
  )
}
