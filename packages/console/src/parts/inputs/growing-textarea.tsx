import { type ComponentProps, useLayoutEffect, useRef } from "react"

// Firefox does not know it yet.
const GROWS_BY_ITSELF = CSS.supports("field-sizing", "content")

/** A textarea that is as high as its text. */
export function GrowingTextarea(props: ComponentProps<"textarea">) {
  const element = useRef<HTMLTextAreaElement>(null)
  // Without dependencies: whatever is rendered may need another height.
  useLayoutEffect(() => {
    if (element.current) growTextarea(element.current)
  })
  return <textarea {...props} ref={element} className={`${props.className ?? ""} growing`} />
}

/** Makes a textarea as high as its text, where the browser does not do it by itself. */
export function growTextarea(textarea: HTMLTextAreaElement): void {
  if (GROWS_BY_ITSELF) return
  textarea.style.height = "auto"
  textarea.style.height = `${textarea.scrollHeight + 2}px`
}
