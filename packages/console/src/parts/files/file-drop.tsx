import { type ReactNode, useRef, useState } from "react"

interface FileDropProps {
  /** The name of the place for screen readers. */
  readonly label: string
  readonly onFiles: (files: readonly File[]) => void
  readonly isDisabled?: boolean
  readonly className: string
  readonly children: ReactNode
}

/** A place onto which files can be dropped. It has to contain another way to choose them. */
export function FileDrop({ label, onFiles, isDisabled = false, className, children }: FileDropProps) {
  const [isOver, setIsOver] = useState(false)
  const takes = (event: React.DragEvent) => !isDisabled && event.dataTransfer.types.includes("Files")
  return (
    <fieldset
      aria-label={label}
      className={className}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        if (!takes(event)) return
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={(event) => {
        if (!(event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget)))
          setIsOver(false)
      }}
      onDrop={(event) => {
        if (!takes(event)) return
        event.preventDefault()
        setIsOver(false)
        onFiles([...event.dataTransfer.files])
      }}
    >
      {children}
    </fieldset>
  )
}

interface FileInput {
  /** The element, which is not shown. It has to be rendered. */
  readonly input: ReactNode
  /** Opens the browser's dialog for files. */
  readonly choose: () => void
}

interface FileInputSettings {
  /** The types of files that the dialog offers; null for all. */
  readonly types: readonly string[] | null
  readonly isMultiple: boolean
  readonly onFiles: (files: readonly File[]) => void
}

/** Lets the person choose files with the browser's own dialog. */
export function useFileInput({ types, isMultiple, onFiles }: FileInputSettings): FileInput {
  const element = useRef<HTMLInputElement>(null)
  return {
    choose: () => element.current?.click(),
    input: (
      <input
        ref={element}
        type="file"
        hidden
        accept={types?.join(",")}
        multiple={isMultiple}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])])
          // The same file can be chosen again.
          currentTarget.value = ""
        }}
      />
    ),
  }
}
