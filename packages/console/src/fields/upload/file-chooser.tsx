import { Upload } from "lucide-react"
import { useState } from "react"
import { useForm } from "../../form/form-context.ts"
import { useLeaveGuard } from "../../form/use-leave-guard.ts"
import { useFormats } from "../../kit/formats.ts"
import { Button } from "../../parts/button.tsx"
import { FileDrop, useFileInput } from "../../parts/files/file-drop.tsx"
import { Icon } from "../../parts/icon.tsx"
import { useWords } from "../../words/words.ts"
import type { EditProps } from "../edit-props.ts"
import { RecordPicker } from "../relation/picker/record-picker.tsx"
import type { Target } from "../relation/use-target.ts"
import { type FileLimits, sizeText, typeNames } from "./file-limits.ts"
import { FileState } from "./file-state.tsx"
import { mayUpload, useFileQueue } from "./use-file-queue.ts"

interface FileChooserProps extends Pick<EditProps, "part" | "inputId" | "describedBy" | "isInvalid" | "onLeave"> {
  readonly target: Target
  readonly onChosen: (file: { readonly id: string }) => void
  /** Leaves the chosen file as it is. Left out if there is none. */
  readonly onCancel?: () => void
}

/** Chooses a file: one that is dropped, one of the device, or one that is there already. */
export function FileChooser(props: FileChooserProps) {
  const { target, onChosen, onCancel, part, inputId, describedBy, isInvalid, onLeave } = props
  const words = useWords("files")
  const relationWords = useWords("relations")
  const { locale } = useForm()
  const [isPicking, setIsPicking] = useState(false)
  const queue = useFileQueue(target.schema, onChosen)
  useLeaveGuard(() => queue.isBusy)
  const limits = target.schema.options.upload
  const onFiles = (files: readonly File[]) => queue.add(files.slice(0, 1))
  const { input, choose } = useFileInput({ types: limits?.types ?? null, isMultiple: false, onFiles })
  const canUpload = mayUpload(target.schema)
  const current = queue.files.at(-1)
  if (isPicking || !canUpload) {
    return (
      <RecordPicker
        target={target}
        locale={locale}
        label={part.label}
        inputId={inputId}
        describedBy={describedBy}
        isInvalid={isInvalid}
        isRequired={part.required}
        placeholder={relationWords.find(target.schema.singularLabel)}
        isOpenFromStart={isPicking}
        onChoose={onChosen}
        onClose={() => setIsPicking(false)}
        onLeave={onLeave}
      />
    )
  }
  return (
    <FileDrop
      label={`${part.label}: ${words.uploads}`}
      className="file-drop"
      onFiles={onFiles}
      isDisabled={queue.isBusy}
    >
      {input}
      {current && <FileState queued={current} queue={queue} />}
      {!queue.isBusy && (
        <div className="file-choices">
          <Button
            id={inputId}
            aria-label={`${part.label}: ${words.choose}`}
            {...(describedBy && { "aria-describedby": describedBy })}
            onPress={choose}
          >
            <Icon of={Upload} />
            {words.choose}
          </Button>
          <Button look="quiet" aria-label={`${part.label}: ${words.chooseExisting}`} onPress={() => setIsPicking(true)}>
            {words.chooseExisting}
          </Button>
          {onCancel && (
            <Button look="quiet" onPress={onCancel}>
              {relationWords.drawer.cancel}
            </Button>
          )}
          <span className="hint">{words.dropHere}</span>
        </div>
      )}
      {limits && <LimitsLine limits={limits} />}
    </FileDrop>
  )
}

/** Says which files are accepted. */
export function LimitsLine({ limits: { types, maxSize } }: { readonly limits: FileLimits }) {
  const words = useWords("files")
  const { locale } = useFormats()
  return <span className="hint">{words.limits(types && typeNames(types), sizeText(maxSize, locale))}</span>
}
