import { Component, type ReactNode } from 'react'
import { useWords } from '../words/words.ts'
import { partWords } from './words.ts'

interface BoundaryProps {
  /** Another place of the console begins anew. */
  readonly place: string
  readonly children: ReactNode
}

/** Keeps a fault of one screen from taking the whole console away. */
export class FaultBoundary extends Component<BoundaryProps, { readonly failedAt: string | null }> {
  override state = { failedAt: null }

  static getDerivedStateFromProps(props: BoundaryProps, state: { readonly failedAt: string | null }) {
    return state.failedAt !== null && state.failedAt !== '' && state.failedAt !== props.place
      ? { failedAt: null }
      : null
  }

  static getDerivedStateFromError() {
    return { failedAt: '' }
  }

  override componentDidCatch(): void {
    this.setState({ failedAt: this.props.place })
  }

  override render(): ReactNode {
    return this.state.failedAt === null ? this.props.children : <Fault />
  }
}

function Fault() {
  const words = useWords(partWords)
  return (
    <div className="empty" role="alert">
      <h1>{words.fault}</h1>
      <p>{words.faultHint}</p>
      <button type="button" className="button" onClick={() => location.reload()}>
        {words.reload}
      </button>
    </div>
  )
}
