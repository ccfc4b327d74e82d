import { useMutation, useQueryClient } from '@tanstack/react-query'
import { change } from '../api/client.ts'

export interface Change {
  readonly method: 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly body?: unknown
}

/** Sends a change; what is on the screen is read again afterwards. */
export function useChange() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ method, path, body }: Change) => change(method, path, body),
    onSettled: () => client.invalidateQueries(),
  })
}
