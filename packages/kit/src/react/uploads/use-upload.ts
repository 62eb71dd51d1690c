import { useMemo, useState } from "react"
import type { QuestpieClientError } from "../../client/transport/client-error.ts"
import type { UploadOptions } from "../../wire/results/uploads.ts"
import { clientErrorOf } from "../store/client-error-of.ts"
import { useNewest } from "../use-newest.ts"

/** The upload operation of a file collection. */
type UploadCall = (file: Blob, options?: never) => Promise<unknown>

/** The options of an upload, without those that the hook sets itself. */
type OptionsOf<Call extends UploadCall> = Omit<NonNullable<Parameters<Call>[1]>, "signal" | "onProgress">

export interface Upload<Call extends UploadCall> {
  /** Uploads a file and returns its record. Rejects if it fails or is aborted. Always the same function. */
  readonly upload: (file: Blob, options?: OptionsOf<Call>) => ReturnType<Call>
  /** A percentage from 0 to 100 of the last upload that has begun. */
  readonly progress: number
  readonly isPending: boolean
  /** The error of the last upload, until the next one begins. An aborted upload has none. */
  readonly error: QuestpieClientError | undefined
  /** Aborts the uploads that are running. */
  readonly abort: () => void
  /** Forgets the progress and the error. Uploads that are running continue. */
  readonly reset: () => void
}

interface State {
  /** The number of running uploads. */
  readonly running: number
  readonly progress: number
  readonly error: QuestpieClientError | undefined
}

type SetState = (change: (state: State) => State) => void
type SendFile = (file: Blob, options: UploadOptions<unknown>) => Promise<unknown>

const INITIAL: State = { running: 0, progress: 0, error: undefined }

/**
 * Uploads files to a file collection, and shows the progress. An upload goes on when the component is unmounted.
 *
 * const { upload, progress } = useUpload(client.collections.media)
 */
export function useUpload<Call extends UploadCall>(collection: { readonly upload: Call }): Upload<Call> {
  const newest = useNewest(collection)
  const [{ running, progress, error }, setState] = useState(INITIAL)
  const calls = useMemo(() => {
    // The cast is safe: the types of the hook accept only an upload operation.
    return uploadCalls((...given) => (newest.current.upload as unknown as SendFile)(...given), setState)
  }, [newest])
  // The cast is safe: the result of an upload is passed on unchanged.
  return { ...calls, progress, isPending: running > 0, error } as unknown as Upload<Call>
}

// The functions of an upload, which stay the same through all renders.
function uploadCalls(send: SendFile, setState: SetState) {
  let lastUpload = 0
  let controller = new AbortController()
  const uploadOnce = async (file: Blob, options?: object): Promise<unknown> => {
    const number = ++lastUpload
    const { signal } = controller
    const showLast = (change: Partial<State>) =>
      setState((state) => (number === lastUpload ? { ...state, ...change } : state))
    setState(({ running }) => ({ running: running + 1, progress: 0, error: undefined }))
    try {
      return await send(file, { ...options, signal, onProgress: (percent) => showLast({ progress: percent }) })
    } catch (failure) {
      if (!signal.aborted) showLast({ error: clientErrorOf(failure) })
      throw failure
    } finally {
      setState((state) => ({ ...state, running: state.running - 1 }))
    }
  }
  return {
    upload: (file: Blob, options?: object) => {
      const running = uploadOnce(file, options)
      // A component that shows `error` does not have to catch it, too.
      running.catch(() => {})
      return running
    },
    abort: () => {
      controller.abort()
      controller = new AbortController()
    },
    reset: () => setState(({ running }) => ({ ...INITIAL, running })),
  }
}
