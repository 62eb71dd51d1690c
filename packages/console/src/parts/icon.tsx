import type { LucideIcon } from "lucide-react"

/** Draws an icon that the console itself uses. It says nothing to screen readers: the text beside it does. */
export function Icon({ of: Drawing }: { readonly of: LucideIcon }) {
  return <Drawing aria-hidden size={16} strokeWidth={1.6} />
}
