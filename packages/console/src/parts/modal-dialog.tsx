import { type ReactNode, useLayoutEffect, useRef } from "react"

interface ModalDialogProps {
  /** The name of the dialog for screen readers. */
  readonly label: string
  readonly onClose: () => void
  /** A dialog that stands in the middle, one that has room for long lines, or one that comes from below on a phone. */
  readonly look?: "middle" | "wide" | "below"
  readonly children: ReactNode
}

/** A dialog over everything else. The browser keeps the focus in it, closes it with Escape and gives the focus back. */
export function ModalDialog({ label, onClose, look = "middle", children }: ModalDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  // Closed while it is still in the page, so that the browser gives the focus back.
  useLayoutEffect(() => {
    const { current } = dialog
    current?.showModal()
    return () => current?.close()
  }, [])
  return (
    // biome's rule for keys does not apply: Escape closes a dialog by itself, and the click is that on the shade.
    <dialog
      ref={dialog}
      className={`dialog floating ${look}`}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onMouseDown={(event) => {
        if (event.target === dialog.current) onClose()
      }}
    >
      <div className="dialog-content">{children}</div>
    </dialog>
  )
}
