import { Component, type ReactNode } from "react"

interface ErrorBoundaryProps {
  /** Returns what is shown in the place of children that have failed. */
  readonly fallback: (error: Error, retry: () => void) => ReactNode
  /** The subject of the children. After an error, another subject is rendered again. */
  readonly subject?: unknown
  readonly children: ReactNode
}

interface ErrorBoundaryState {
  readonly error: Error | null
}

/** Keeps an error of its children in their own place: everything around them goes on. React has this for classes only. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override readonly state: ErrorBoundaryState = { error: null }

  static getDerivedStateFromError(error: unknown): ErrorBoundaryState {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  override componentDidUpdate({ subject }: ErrorBoundaryProps): void {
    if (subject !== this.props.subject && this.state.error !== null) this.#retry()
  }

  override render(): ReactNode {
    const { error } = this.state
    return error === null ? this.props.children : this.props.fallback(error, this.#retry)
  }

  readonly #retry = () => this.setState({ error: null })
}
