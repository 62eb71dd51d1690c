import type { ReactNode, Ref } from "react"
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from "react-aria-components/Button"

interface ButtonProps extends Omit<AriaButtonProps, "className" | "style" | "children"> {
  /** There is one primary button on a screen: what comes next. A quiet one has no edge. */
  readonly look?: "plain" | "primary" | "quiet" | "icon" | "danger"
  readonly ref?: Ref<HTMLButtonElement> | undefined
  readonly children: ReactNode
}

const CLASSES = {
  plain: "button",
  primary: "button primary",
  quiet: "button quiet",
  icon: "button quiet icon-only",
  danger: "button danger",
}

export function Button({ look = "plain", ...props }: ButtonProps) {
  return <AriaButton {...props} className={CLASSES[look]} />
}
