import type { ButtonHTMLAttributes } from "react"

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** `primary` for the one action that a form is for; `quiet` for those beside it. */
  readonly look?: "primary" | "plain" | "quiet"
  /** True while the action runs. The button then takes no clicks, and says so. */
  readonly isBusy?: boolean
}

export function Button({ look = "plain", isBusy = false, className = "", disabled, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`button button-${look} ${className}`}
      disabled={disabled || isBusy}
      aria-busy={isBusy || undefined}
    />
  )
}
