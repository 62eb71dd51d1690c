import { Check, Minus } from "lucide-react"
import type { ReactNode } from "react"
import { Checkbox as AriaCheckbox, type CheckboxProps as AriaCheckboxProps } from "react-aria-components/Checkbox"
import { Icon } from "../icon.tsx"

interface CheckboxProps extends Omit<AriaCheckboxProps, "className" | "style" | "children"> {
  /** The text beside the box. Without one, the checkbox needs an `aria-label` or `aria-labelledby`. */
  readonly children?: ReactNode
}

export function Checkbox({ children, ...props }: CheckboxProps) {
  return (
    <AriaCheckbox {...props} className="checkbox">
      {({ isSelected, isIndeterminate }) => (
        <>
          <span className="checkbox-box">
            {isIndeterminate ? <Icon of={Minus} /> : isSelected && <Icon of={Check} />}
          </span>
          {children}
        </>
      )}
    </AriaCheckbox>
  )
}
