import { lazy, Suspense } from 'react'

/** The mark of the configuration that manages an object, and its key there; null: people manage it. */
export interface Managed {
  readonly managed_by?: string | null
  readonly managed_key?: string | null
}

const Mark = lazy(() => import('./managed-texts.tsx').then((file) => ({ default: file.Mark })))
const Note = lazy(() => import('./managed-texts.tsx').then((file) => ({ default: file.Note })))

interface MarkProps {
  readonly of: Managed | null | undefined
}

/** A small mark beside the name of an object that files manage. */
export function ManagedMark({ of }: MarkProps) {
  if (of?.managed_by == null) return null
  return (
    <Suspense fallback={null}>
      <Mark by={of.managed_by} name={of.managed_key ?? ''} />
    </Suspense>
  )
}

/** Says in a form what becomes of a change or a deletion when the files are applied again. */
export function ManagedNote({ of, isRemoval = false }: MarkProps & { readonly isRemoval?: boolean }) {
  if (of?.managed_by == null) return null
  return (
    <Suspense fallback={null}>
      <Note by={of.managed_by} name={of.managed_key ?? ''} isRemoval={isRemoval} />
    </Suspense>
  )
}
