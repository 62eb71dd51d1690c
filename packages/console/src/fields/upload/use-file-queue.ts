import type { CollectionSchema } from "kit/client"
import { UploadError } from "kit/client"
import { useEffect, useRef, useState } from "react"
import { type ConsoleRecord, collectionHandle } from "../../kit/resources.ts"
import { type Refusal, refusalOf } from "./file-limits.ts"

const SENDING_MAX = 2

/** A file that a person has chosen, and what has become of it. */
export interface QueuedFile {
  readonly key: number
  readonly file: File
  readonly state:
    | { readonly kind: "waiting" }
    | { readonly kind: "sending"; readonly percent: number }
    | { readonly kind: "stored"; readonly record: ConsoleRecord }
    /** The page or the server has refused it; the text is the server's. */
    | { readonly kind: "refused"; readonly reason: Refusal | string }
    | { readonly kind: "stopped" }
}

export interface FileQueue {
  readonly files: readonly QueuedFile[]
  readonly isBusy: boolean
  readonly add: (files: Iterable<File>) => void
  readonly stop: (key: number) => void
  readonly retry: (key: number) => void
  /** Forgets what is said about a file. */
  readonly dismiss: (key: number) => void
}

/** Uploads files to a collection, at most two at a time. Those that would be refused are not sent. */
export function useFileQueue(schema: CollectionSchema, onStored: (record: ConsoleRecord) => void): FileQueue {
  const [files, setFiles] = useState<readonly QueuedFile[]>([])
  const newest = useRef(onStored)
  newest.current = onStored
  const running = useRef(new Map<number, AbortController>())
  const lastKey = useRef(0)
  const set = (key: number, state: QueuedFile["state"]) =>
    setFiles((all) => all.map((queued) => (queued.key === key ? { ...queued, state } : queued)))
  const send = async ({ key, file }: QueuedFile) => {
    const controller = new AbortController()
    running.current.set(key, controller)
    set(key, { kind: "sending", percent: 0 })
    try {
      const record = await uploadOf(schema)(file, {
        signal: controller.signal,
        onProgress: (percent) => set(key, { kind: "sending", percent }),
      })
      set(key, { kind: "stored", record })
      newest.current(record)
    } catch (error) {
      set(key, controller.signal.aborted ? { kind: "stopped" } : { kind: "refused", reason: reasonOf(error) })
    } finally {
      running.current.delete(key)
    }
  }
  useEffect(() => {
    const waiting = files.filter(({ key, state }) => state.kind === "waiting" && !running.current.has(key))
    for (const queued of waiting.slice(0, SENDING_MAX - running.current.size)) void send(queued)
  })
  return {
    files,
    isBusy: files.some(({ state }) => state.kind === "waiting" || state.kind === "sending"),
    add: (added) => {
      const queued = [...added].map((file) => ({ key: ++lastKey.current, file, state: firstState(file, schema) }))
      setFiles((all) => [...all, ...queued])
    },
    stop: (key) => {
      running.current.get(key)?.abort()
      if (!running.current.has(key)) set(key, { kind: "stopped" })
    },
    retry: (key) => set(key, { kind: "waiting" }),
    dismiss: (key) => setFiles((all) => all.filter((queued) => queued.key !== key)),
  }
}

/** Returns whether the person may upload files to a collection. */
export function mayUpload({ access, options }: CollectionSchema): boolean {
  const allowed = access.operations.upload ?? access.operations.create
  return options.upload !== null && allowed !== undefined && allowed !== false
}

function firstState(file: File, { options }: CollectionSchema): QueuedFile["state"] {
  const reason = options.upload && refusalOf(file, options.upload)
  return reason ? { kind: "refused", reason } : { kind: "waiting" }
}

function reasonOf(error: unknown): string {
  if (error instanceof UploadError) return error.fieldErrors?.[0]?.message ?? error.reason ?? error.message
  return error instanceof Error ? error.message : String(error)
}

interface Sending {
  readonly signal: AbortSignal
  readonly onProgress: (percent: number) => void
}

// Only collections with files have the operation, and this is one of them.
function uploadOf({ name }: CollectionSchema): (file: File, sending: Sending) => Promise<ConsoleRecord> {
  const handle = collectionHandle(name) as unknown as { upload(file: File, sending: Sending): Promise<ConsoleRecord> }
  return (file, sending) => handle.upload(file, sending)
}
