import { Component, type ReactNode } from "react"
import { Button } from "../components/button.tsx"
import { Problem } from "../components/notice.tsx"
import { useWords } from "./language.ts"

interface PageBoundaryProps {
  readonly path: string
  readonly children: ReactNode
}

interface PageBoundaryState {
  readonly error?: Error | undefined
}

/** Shows an error of a page in its place, such as a script that could not be loaded. Another address tries again. */
export class PageBoundary extends Component<PageBoundaryProps, PageBoundaryState> {
  override state: PageBoundaryState = {}

  static getDerivedStateFromError(error: Error): PageBoundaryState {
    return { error }
  }

  override componentDidUpdate({ path }: PageBoundaryProps): void {
    if (this.state.error && path !== this.props.path) this.setState({ error: undefined })
  }

  override render(): ReactNode {
    return this.state.error ? <FailedPage error={this.state.error} /> : this.props.children
  }
}

function FailedPage({ error }: { readonly error: Error }) {
  const { retry } = useWords()
  return (
    <div className="page">
      <Problem error={error}>
        <Button onClick={() => location.reload()}>{retry}</Button>
      </Problem>
    </div>
  )
}
