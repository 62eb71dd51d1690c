import "react"

// Colours that an author has named are set as variables of the style.
declare module "react" {
  interface CSSProperties {
    readonly [variable: `--${string}`]: string
  }
}
