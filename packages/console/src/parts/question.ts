/** A question that is asked over the page. */
export interface Question {
  readonly title: string
  readonly text?: string
  /** The text of the button that does it: the verb itself, such as "Delete". */
  readonly action: string
  /** True if it removes something. */
  readonly danger?: boolean
}

interface OpenQuestion extends Question {
  readonly answer: (isConfirmed: boolean) => void
}

let asked: OpenQuestion | null = null
const listeners = new Set<() => void>()

/** Asks whether to go on. Resolves with false if the person cancels, or if another question takes its place. */
export function confirm(question: Question): Promise<boolean> {
  asked?.answer(false)
  return new Promise((resolve) => {
    show({
      ...question,
      answer: (isConfirmed) => {
        show(null)
        resolve(isConfirmed)
      },
    })
  })
}

/** Returns the question that is open, or null. */
export function openQuestion(): OpenQuestion | null {
  return asked
}

function show(question: OpenQuestion | null): void {
  asked = question
  for (const listener of listeners) listener()
}

/** Calls back when another question is open, or none. Returns an unsubscribe function. */
export function onQuestion(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
