import { type InvalidateQueryFilters, type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { sendChange } from '../api/calls.ts'
import type { ApiCall } from './code-text.ts'

export type Change<Answer = unknown> = ApiCall<Answer>

/** Reads again after a change. A failure is told without waiting for that: a server that is away answers nothing. */
export function readAgain(client: QueryClient, stale: InvalidateQueryFilters = {}) {
  return (_answer: unknown, error: Error | null): Promise<void> | undefined => {
    const reading = client.invalidateQueries(stale)
    return error === null ? reading : undefined
  }
}

/** Sends a change; what is on the screen is read again afterwards. */
export function useChange<Answer = unknown>() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (call: Change<Answer>) => sendChange(call),
    onSettled: readAgain(client),
  })
}
