import type { CollectionSchema } from "kit/client"
import { Pencil, Upload } from "lucide-react"
import { useCallback, useRef, useState } from "react"
import { Link } from "wouter"
import { RelatedDrawer } from "../../fields/relation/related-drawer.tsx"
import { mayUpdate } from "../../fields/relation/use-new-record.ts"
import { LimitsLine } from "../../fields/upload/file-chooser.tsx"
import { FileState } from "../../fields/upload/file-state.tsx"
import { useFileQueue } from "../../fields/upload/use-file-queue.ts"
import { useLeaveGuard } from "../../form/use-leave-guard.ts"
import type { ConsoleRecord } from "../../kit/resources.ts"
import { Button } from "../../parts/button.tsx"
import { FileDrop, useFileInput } from "../../parts/files/file-drop.tsx"
import { Icon } from "../../parts/icon.tsx"
import { recordPath } from "../../routes.ts"
import { useWords } from "../../words/words.ts"

interface UploadFilesProps {
  /** The description of a collection of files. */
  readonly schema: CollectionSchema
  readonly onStored?: (record: ConsoleRecord) => void
}

/** A place for many files, which are chosen or dropped: how far each of them is, and why one was refused. */
export function UploadFiles({ schema, onStored = () => {} }: UploadFilesProps) {
  const words = useWords("files")
  const [edited, setEdited] = useState<string | null>(null)
  const queue = useFileQueue(schema, onStored)
  const isBusy = useRef(false)
  isBusy.current = queue.isBusy
  useLeaveGuard(useCallback(() => isBusy.current, []))
  const { upload: limits } = schema.options
  const { input, choose } = useFileInput({ types: limits?.types ?? null, isMultiple: true, onFiles: queue.add })
  return (
    <FileDrop label={words.uploads} className="file-drop large" onFiles={queue.add}>
      {input}
      <div className="file-choices">
        <Button look="primary" onPress={choose}>
          <Icon of={Upload} />
          {words.chooseMany}
        </Button>
        <span className="hint">{words.dropManyHere}</span>
      </div>
      {limits && <LimitsLine limits={limits} />}
      <ul className="file-queue">
        {queue.files.map((queued) => (
          <li key={queued.key}>
            <FileState queued={queued} queue={queue}>
              {queued.state.kind === "stored" && (
                <StoredFile schema={schema} record={queued.state.record} onEdit={setEdited} />
              )}
            </FileState>
          </li>
        ))}
      </ul>
      {edited && <RelatedDrawer collection={schema.name} id={edited} onClose={() => setEdited(null)} />}
    </FileDrop>
  )
}

interface StoredFileProps {
  readonly schema: CollectionSchema
  readonly record: ConsoleRecord
  readonly onEdit: (id: string) => void
}

/** The action on a file that is stored: describe it, or look at it. */
function StoredFile({ schema, record, onEdit }: StoredFileProps) {
  const words = useWords("files")
  const name = String(record["filename"] ?? record.id)
  if (!mayUpdate(schema)) {
    return (
      <Link
        className="button quiet icon-only"
        href={recordPath(schema.name, record.id)}
        aria-label={words.details(name)}
      >
        <Icon of={Pencil} />
      </Link>
    )
  }
  return (
    <Button look="icon" aria-label={words.details(name)} onPress={() => onEdit(record.id)}>
      <Icon of={Pencil} />
    </Button>
  )
}
