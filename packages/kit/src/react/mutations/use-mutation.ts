import { useMemo, useState } from "react"
import type { QuestpieClientError } from "../../client/transport/client-error.ts"
import type { CallOptions } from "../../wire/options/call-options.ts"
import { useProvided } from "../provider/kit-context.ts"
import { clientErrorOf } from "../store/client-error-of.ts"
import { useNewest } from "../use-newest.ts"
import type { OptimisticView } from "./optimistic-view.ts"
import { type Operation, sendWrite } from "./send-write.ts"

export interface MutationSettings<Input, Output> {
  /** Names what the write will change, so that the page shows it immediately. If the write fails, the change is undone. */
  readonly optimistic?: ((view: OptimisticView, input: Input) => void) | undefined
  readonly onSuccess?: ((output: Output, input: Input) => void) | undefined
  /** Called with each error, in place of the provider's `onError`. */
  readonly onError?: ((error: QuestpieClientError, input: Input) => void) | undefined
}

/** The input of a mutation. It can be omitted if the operation can be called without it. */
type InputOf<Input> = undefined extends Input ? [input?: Input] : [input: Input]

export interface Mutation<Input, Output> {
  /** Sends the write. Rejects if it fails. Always the same function. */
  readonly run: (...input: InputOf<Input>) => Promise<Output>
  /** Like `run`, but returns the error. */
  readonly runSafe: (...input: InputOf<Input>) => Promise<MutationOutcome<Output>>
  /** True while a write is in flight. */
  readonly isPending: boolean
  /** The error of the last write, until the next one begins. */
  readonly error: QuestpieClientError | undefined
  /** The messages about fields in `error`, by the path of the field. */
  readonly fieldErrors: Readonly<Record<string, readonly string[]>>
  /** Forgets the error. Writes that are in flight continue. */
  readonly reset: () => void
}

export type MutationOutcome<Output> =
  | { readonly data: Output; readonly error?: undefined }
  | { readonly error: QuestpieClientError; readonly data?: undefined }

interface State {
  /** The number of writes in flight. */
  readonly inFlight: number
  readonly error: QuestpieClientError | undefined
}

const INITIAL: State = { inFlight: 0, error: undefined }

/**
 * Sends writes, and returns their state.
 *
 * const finish = useMutation(articles.updateById, {
 *   optimistic: (view, { id, data }) => view.patch(articles, id, data),
 * })
 */
export function useMutation<Input, Output>(
  // Without a type parameter, the input of an operation that has some would be unknown in the settings.
  operation: <_Options = never>(input: Input, call?: CallOptions) => Promise<Output>,
  settings?: MutationSettings<NoInfer<Input>, NoInfer<Output>>,
): Mutation<Input, Output>
export function useMutation<Input, Output>(
  operation: Operation<Input, Output>,
  settings: MutationSettings<Input, Output> = {},
): Mutation<Input, Output> {
  const provided = useProvided()
  const newest = useNewest({ operation, settings: { ...settings, onError: settings.onError ?? provided.onError } })
  const [{ inFlight, error }, setState] = useState(INITIAL)
  const calls = useMemo(() => mutationCalls(() => newest.current, setState), [newest])
  return { ...calls, isPending: inFlight > 0, error, fieldErrors: error?.getFieldErrorsMap() ?? {} }
}

interface Mutated<Input, Output> {
  readonly operation: Operation<Input, Output>
  readonly settings: MutationSettings<Input, Output>
}

type SetState = (change: (state: State) => State) => void

// The functions of a mutation, which stay the same through all renders.
function mutationCalls<Input, Output>(
  newest: () => Mutated<Input, Output>,
  setState: SetState,
): Pick<Mutation<Input, Output>, "run" | "runSafe" | "reset"> {
  // Only the error of the last write that has begun is shown.
  let lastRun = 0
  const runOnce = async (...[input]: InputOf<Input>): Promise<Output> => {
    const run = ++lastRun
    const { operation, settings } = newest()
    const end = (error?: QuestpieClientError) =>
      setState((state) => ({ inFlight: state.inFlight - 1, error: run === lastRun ? error : state.error }))
    setState(({ inFlight }) => ({ inFlight: inFlight + 1, error: undefined }))
    // The cast is safe: the input can be omitted only if the operation accepts undefined.
    const given = input as Input
    try {
      const output = await sendWrite(operation, given, settings.optimistic)
      end()
      // An error of the callback is reported as uncaught: the write itself has not failed.
      queueMicrotask(() => settings.onSuccess?.(output, given))
      return output
    } catch (failure) {
      const error = clientErrorOf(failure)
      end(error)
      queueMicrotask(() => settings.onError?.(error, given))
      throw failure
    }
  }
  return {
    run: (...input) => {
      const running = runOnce(...input)
      // A component that shows `error` does not have to catch it, too.
      running.catch(() => {})
      return running
    },
    runSafe: (...input) =>
      runOnce(...input).then(
        (data) => ({ data }),
        (failure) => ({ error: clientErrorOf(failure) }),
      ),
    reset: () => setState(({ inFlight }) => ({ inFlight, error: undefined })),
  }
}
