import { type ReactNode, useSyncExternalStore } from "react"
import { Dialog as AriaDialog, Heading } from "react-aria-components/Dialog"
import { Modal, ModalOverlay } from "react-aria-components/Modal"
import { useWords } from "../words/words.ts"
import { Button } from "./button.tsx"

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
      className="shade dialog-shade"
      isOpen={isOpen}
      isDismissable={role === "dialog"}
      onOpenChange={(open) => open || onClose()}
    >
      <Modal className="dialog floating">
        <AriaDialog role={role} className="dialog-content">
          <Heading slot="title">{title}</Heading>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

interface Question {
  readonly title: string
  readonly text?: string
  /** The text of the button that does it: the verb itself, such as "Delete". */
  readonly action: string
  /** True if it removes something. */
  readonly danger?: boolean
}

interface OpenQuestion extends Question {
  readonly answer: (isConfirmed: boolean) => void
}

let openQuestion: OpenQuestion | null = null
const listeners = new Set<() => void>()

/** Asks whether to go on. Resolves with false if the person cancels, or if another question takes its place. */
export function confirm(question: Question): Promise<boolean> {
  openQuestion?.answer(false)
  return new Promise((resolve) => {
    show({
      ...question,
      answer: (isConfirmed) => {
        show(null)
        resolve(isConfirmed)
      },
    })
  })
}

/** The place of the questions of `confirm`. The desk has it once. */
export function ConfirmDialog() {
  const words = useWords("shell")
  const question = useSyncExternalStore(subscribe, () => openQuestion)
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

function show(question: OpenQuestion | null): void {
  openQuestion = question
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
