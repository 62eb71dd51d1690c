import { RotateCcw, Square, X } from "lucide-react"
import type { ReactNode } from "react"
import { useFormats } from "../../kit/formats.ts"
import { Button } from "../../parts/button.tsx"
import { Icon } from "../../parts/icon.tsx"
import { useWords, type Words } from "../../words/words.ts"
import { type Refusal, sizeText, typeNames } from "./file-limits.ts"
import { FilePicture } from "./file-picture.tsx"
import type { FileQueue, QueuedFile } from "./use-file-queue.ts"

interface FileStateProps {
  readonly queued: QueuedFile
  readonly queue: FileQueue
  /** The actions at the end of a file that is stored. */
  readonly children?: ReactNode
}

/** A file on its way: its name, how far it is, and what can be done about it. */
export function FileState({ queued, queue, children }: FileStateProps) {
  const { key, file, state } = queued
  const words = useWords("files")
  const { locale } = useFormats()
  const isRunning = state.kind === "waiting" || state.kind === "sending"
  return (
    <div className="file-state" data-state={state.kind}>
      <FilePicture file={file} />
      <span className="file-text">
        <span className="cut">{file.name}</span>
        <small>{stateText(queued, words, locale)}</small>
        {isRunning && (
          <progress
            max={100}
            value={state.kind === "sending" ? state.percent : 0}
            aria-label={words.progress(file.name)}
          />
        )}
      </span>
      <span className="file-actions">
        {isRunning && (
          <Button look="icon" aria-label={words.stop(file.name)} onPress={() => queue.stop(key)}>
            <Icon of={Square} />
          </Button>
        )}
        {(state.kind === "stopped" || (state.kind === "refused" && typeof state.reason === "string")) && (
          <Button look="icon" aria-label={words.retry(file.name)} onPress={() => queue.retry(key)}>
            <Icon of={RotateCcw} />
          </Button>
        )}
        {state.kind === "stored" && children}
        {!isRunning && (
          <Button look="icon" aria-label={words.dismiss(file.name)} onPress={() => queue.dismiss(key)}>
            <Icon of={X} />
          </Button>
        )}
      </span>
      <span className="visually-hidden" aria-live="polite">
        {isRunning ? "" : `${file.name}: ${stateText(queued, words, locale)}`}
      </span>
    </div>
  )
}

function stateText({ file, state }: QueuedFile, words: Words["files"], locale: string): string {
  switch (state.kind) {
    case "waiting":
      return words.waiting
    case "sending":
      return words.sending(state.percent, sizeText(file.size, locale))
    case "stored":
      return `${words.stored} · ${sizeText(file.size, locale)}`
    case "stopped":
      return words.stopped
    case "refused":
      return typeof state.reason === "string" ? state.reason : refusalText(state.reason, words, locale)
    default:
      return state satisfies never
  }
}

function refusalText(refusal: Refusal, words: Words["files"], locale: string): string {
  switch (refusal.kind) {
    case "empty":
      return words.empty
    case "tooLarge":
      return words.tooLarge(sizeText(refusal.maxSize, locale))
    case "wrongType":
      return words.wrongType(typeNames(refusal.types))
    default:
      return refusal satisfies never
  }
}
