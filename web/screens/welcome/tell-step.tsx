import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { Link } from 'wouter'
import { change, read } from '../../api/client.ts'
import { TestOutcome, useTestMessage } from '../../parts/test-message.tsx'
import { useWords } from '../../words/words.ts'
import { welcomeWords } from './words.ts'

interface Added {
  readonly id: number
  readonly address: string
  readonly is_confirmed: boolean
}

/** The mailbox that hears of failures, and a test message that shows whether it does. */
export function TellStep({ onTold }: { readonly onTold: () => void }) {
  const words = useWords(welcomeWords)
  const client = useQueryClient()
  const [address, setAddress] = useState('')
  const { mutate, isPending, error, data } = useMutation({
    mutationFn: async (): Promise<Added> => {
      const body = { notification_channel_id: 'email', address: address.trim() }
      const { id } = await change<{ readonly id: number }>('POST', '/notification_addresses', body)
      return read<Added>(`/notification_addresses/${id}?fields=id,address,is_confirmed`)
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['notification_addresses'] }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isPending && address.trim() !== '') mutate()
  }
  if (data !== undefined && !data.is_confirmed) {
    return (
      <p role="status">
        {words.confirmFirst(data.address)} <Link href="/notifications">{words.toNotifications}</Link>
      </p>
    )
  }
  if (data !== undefined) return <Told address={data} onTold={onTold} />
  return (
    <form className="stack" noValidate onSubmit={submit}>
      <div className="field">
        <label htmlFor="tell-address">{words.email}</label>
        <input
          id="tell-address"
          type="email"
          autoComplete="email"
          aria-invalid={error !== null}
          aria-describedby="tell-hint tell-problem"
          value={address}
          onChange={({ target }) => setAddress(target.value)}
        />
        <span id="tell-hint" className="hint">
          {words.tellHint}
        </span>
      </div>
      <p id="tell-problem" className="problem" role="alert">
        {error?.message}
      </p>
      <div className="row">
        <button type="submit" className="button primary" aria-disabled={isPending || address.trim() === ''}>
          {words.tellStart}
        </button>
      </div>
    </form>
  )
}

function Told({ address: { id, address }, onTold }: { readonly address: Added; readonly onTold: () => void }) {
  const words = useWords(welcomeWords)
  const test = useTestMessage(id)
  const { mutate } = test
  useEffect(() => {
    mutate()
    onTold()
  }, [mutate, onTold])
  return (
    <>
      <p>{words.told(address)}</p>
      <TestOutcome {...test} />
      <div className="row">
        <button type="button" className="button" disabled={test.isPending} onClick={() => mutate()}>
          {words.again}
        </button>
      </div>
    </>
  )
}
