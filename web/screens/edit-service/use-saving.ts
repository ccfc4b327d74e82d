import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { AnswerAt } from '../../api/answers.ts'
import { change } from '../../api/calls.ts'
import { obstaclesIn } from '../../parts/obstacles.ts'
import { useVersioned } from '../../parts/use-versioned.ts'
import { bodyOf, type Draft, draftOf, type Formats, membersOf, newBodyOf } from './draft.ts'

export interface Saved {
  readonly id: number
  readonly warnings?: AnswerAt<'POST', '/services'>['warnings']
}

/** A new service is made; one that is there is changed only in the version that the form began with. */
export function useSaving(id: number | null, initial: Draft, formats: Formats) {
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const [isSaving, setSaving] = useState(false)
  const [saved, setSaved] = useState<Saved | null>(null)
  const [error, setError] = useState<unknown>(null)
  const { saving, conflict, show, managed } = useVersioned<Draft, `/services/${number}`>({
    path: id === null ? null : `/services/${id}`,
    known: membersOf(initial, formats),
    inTerms: (service) => membersOf(draftOf(service, formats), formats),
  })
  const write = async (draft: Draft, isAnswer: boolean): Promise<Saved> => {
    if (id === null) return change('POST', '/services', newBodyOf(draft, formats))
    const body = bodyOf(draft, formats)
    await saving.mutateAsync({ mine: membersOf(draft, formats), state: draft, body, isAnswer })
    return { id }
  }
  const save = async (draft: Draft, isAnswer: boolean, settle: () => void) => {
    setSaving(true)
    setError(null)
    try {
      const known = await write(draft, isAnswer)
      await client.invalidateQueries({ queryKey: ['services'], refetchType: 'none' })
      client.removeQueries({ queryKey: ['services', 'page'] })
      client.removeQueries({ queryKey: ['edit'], type: 'inactive' })
      settle()
      if (obstaclesIn(known.warnings).length === 0) navigate(`/services/${known.id}`)
      else setSaved(known)
    } catch (thrown) {
      setError(thrown)
    } finally {
      setSaving(false)
    }
  }
  return {
    save: (...asked: Parameters<typeof save>) => void save(...asked),
    isSaving,
    saved,
    error,
    forget: () => setError(null),
    conflict,
    show,
    managed,
  }
}
