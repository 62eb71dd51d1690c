import type { CollectionSchema } from "kit/client"
import { Upload } from "lucide-react"
import { useLeaveGuard } from "../../form/use-leave-guard.ts"
import type { ConsoleRecord } from "../../kit/resources.ts"
import { Button } from "../../parts/button.tsx"
import { FileDrop, useFileInput } from "../../parts/files/file-drop.tsx"
import { Icon } from "../../parts/icon.tsx"
import { useWords } from "../../words/words.ts"
import { FileState } from "./file-state.tsx"
import { useFileQueue } from "./use-file-queue.ts"

interface AddFilesProps {
  readonly schema: CollectionSchema
  readonly onStored: (record: ConsoleRecord) => void
}

/** Uploads several files into a list that shows them once they are stored. */
export function AddFiles({ schema, onStored }: AddFilesProps) {
  const words = useWords("files")
  const queue = useFileQueue(schema, onStored)
  useLeaveGuard(() => queue.isBusy)
  const { input, choose } = useFileInput({
    types: schema.options.upload?.types ?? null,
    isMultiple: true,
    onFiles: queue.add,
  })
  return (
    <FileDrop label={words.uploads} className="file-drop small" onFiles={queue.add}>
      {queue.files
        .filter(({ state }) => state.kind !== "stored")
        .map((queued) => (
          <FileState key={queued.key} queued={queued} queue={queue} />
        ))}
      <span>
        {input}
        <Button look="quiet" onPress={choose}>
          <Icon of={Upload} />
          {words.chooseMany}
        </Button>
        <span className="hint">{words.dropManyHere}</span>
      </span>
    </FileDrop>
  )
}
