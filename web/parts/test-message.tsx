import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { change } from '../api/calls.ts'
import { useWords } from '../words/words.ts'
import { Icon } from './icon.tsx'
import { Reason } from './reason.tsx'
import { readAgain } from './use-change.ts'
import { partWords } from './words.ts'

interface Outcome {
  readonly status: 'sent' | 'failed' | 'pending'
  readonly error_message: string | null
}

/** Sends a test message to an address of the collection; what became of it is `<TestOutcome>`'s to say. */
export type Tried = '/notification_addresses' | '/contact_addresses'

export function useTestMessage(addressId: number, collection: Tried = '/notification_addresses') {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => change('POST', `${collection}/${addressId}/send_test_notification`),
    onSettled: readAgain(client, { queryKey: ['deliveries'] }),
  })
}

/** Sends a test message to an address that is not saved. */
export function useTrialMessage(collection: Tried = '/notification_addresses') {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (address: object) => change('POST', `${collection}/trial`, address),
    onSettled: () => client.invalidateQueries({ queryKey: ['deliveries'] }),
  })
}

/**
 * Shows whether the message arrived, or why not. It is on the page from the start, so that screen readers announce its
 * change.
 */
export function TestOutcome({
  data,
  error,
  isPending,
}: Pick<UseMutationResult<Outcome>, 'data' | 'error' | 'isPending'>) {
  const words = useWords(partWords).testMessage
  const isTrouble = error !== null || data?.status === 'failed'
  return (
    <p role="status" className={isTrouble ? 'problem' : 'hint'}>
      {isPending ? words.sending : null}
      <Reason error={error} />
      {isPending || data === undefined ? null : (
        <>
          <Icon name={data.status === 'sent' ? 'ok' : data.status === 'failed' ? 'failure' : 'unknown'} />{' '}
          {words[data.status]}
          {data.error_message === null ? null : ` ${data.error_message}.`}
        </>
      )}
    </p>
  )
}
