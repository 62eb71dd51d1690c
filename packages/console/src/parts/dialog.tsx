import { type ReactNode, useSyncExternalStore } from "react"
import { Dialog as AriaDialog, Heading } from "react-aria-components/Dialog"
import { Modal, ModalOverlay } from "react-aria-components/Modal"
import { useWords } from "../words/words.ts"
import { Button } from "./button.tsx"
import { onQuestion, openQuestion } from "./question.ts"

export { confirm } from "./question.ts"

interface DialogProps {
  readonly title: string
  readonly isOpen: boolean
  /** Called when the person leaves the dialog: by Escape, or by a press beside it. */
  readonly onClose: () => void
  /** An alert asks a question that has to be answered, so that a press beside it does not close it. */
  readonly role?: "dialog" | "alertdialog"
  readonly children: ReactNode
}

/** A sheet over the page, which holds the focus until it is closed. */
export function Dialog({ title, isOpen, onClose, role = "dialog", children }: DialogProps) {
  return (
    <ModalOverlay
      className="shade modal-shade"
      isOpen={isOpen}
      isDismissable={role === "dialog"}
      onOpenChange={(open) => open || onClose()}
    >
      <Modal className="modal floating">
        <AriaDialog role={role} className="modal-content">
          <Heading slot="title">{title}</Heading>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

/** The place of the questions of `confirm`. The desk has it once. */
export function ConfirmDialog() {
  const words = useWords("shell")
  const question = useSyncExternalStore(onQuestion, openQuestion)
  if (question === null) return null
  const { title, text, action, danger = false, answer } = question
  return (
    <Dialog title={title} isOpen role="alertdialog" onClose={() => answer(false)}>
      {text && <p>{text}</p>}
      <div className="dialog-actions">
        <Button onPress={() => answer(false)} autoFocus={danger}>
          {words.cancel}
        </Button>
        <Button look={danger ? "danger" : "primary"} onPress={() => answer(true)} autoFocus={!danger}>
          {action}
        </Button>
      </div>
    </Dialog>
  )
}
