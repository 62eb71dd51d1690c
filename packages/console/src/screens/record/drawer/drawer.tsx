import { X } from "lucide-react"
import type { ReactNode } from "react"
import { Dialog, Heading } from "react-aria-components/Dialog"
import { Modal, ModalOverlay } from "react-aria-components/Modal"
import { Button } from "../../../parts/button.tsx"
import { Icon } from "../../../parts/icon.tsx"
import { useWords } from "../../../words/words.ts"

interface DrawerProps {
  readonly title: string
  /** Called when the person wants to leave: by Escape, by the button, or by a press beside the drawer. It may ask first. */
  readonly onClose: () => void
  /** Stands beside the title. */
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A second sheet that lies over the right side of the first one, for something that belongs to what is edited there. */
export function Drawer({ title, onClose, actions, children }: DrawerProps) {
  const words = useWords("shell")
  return (
    <ModalOverlay className="shade drawer-shade" isOpen isDismissable onOpenChange={(isOpen) => isOpen || onClose()}>
      <Modal className="drawer">
        <Dialog className="drawer-content">
          <header className="bar">
            <Heading slot="title">{title}</Heading>
            <span className="rest" />
            {actions}
            <Button look="icon" aria-label={words.close} onPress={onClose}>
              <Icon of={X} />
            </Button>
          </header>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
