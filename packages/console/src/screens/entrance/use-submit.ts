import { KitClientError } from "kit/client"
import { type FormEvent, useState } from "react"
import { useEntranceWords } from "../../words/entrance-words.ts"
import { fieldProblemText, problemText } from "./problem-text.ts"

/** A form that is sent to the API as a whole. */
interface Submit {
  readonly isSending: boolean
  /** The problem of the form as a whole, in the language of the person. */
  readonly problem: string | undefined
  /** The error of the last sending. */
  readonly error: unknown
  /** The reason of the error, as the API names it. */
  readonly reason: unknown
  /** Returns what is wrong with one field. */
  problemOf(field: string): string | undefined
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void
}

/** Returns what a form needs that sends its texts with `send`, and shows what is wrong with them. */
export function useSubmit(
  send: (texts: Readonly<Record<string, string>>, form: HTMLFormElement) => Promise<void>,
): Submit {
  const words = useEntranceWords()
  const [isSending, setIsSending] = useState(false)
  const [error, setError] = useState<unknown>()

  async function submit(form: HTMLFormElement) {
    setIsSending(true)
    setError(undefined)
    try {
      await send(textsOf(form), form)
    } catch (failure) {
      setError(failure)
    } finally {
      setIsSending(false)
    }
  }

  const isAboutFields = error instanceof KitClientError && (error.fieldErrors ?? []).length > 0
  return {
    isSending,
    error,
    reason: error instanceof KitClientError ? error.context?.["reason"] : undefined,
    problem: error === undefined || isAboutFields ? undefined : problemText(error, words.problems),
    problemOf: (field) => fieldProblemText(error, field, words.problems),
    onSubmit: (event) => {
      event.preventDefault()
      if (!isSending) void submit(event.currentTarget)
    },
  }
}

function textsOf(form: HTMLFormElement): Record<string, string> {
  return Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]))
}
