import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { callTo, sendChange } from '../../api/calls.ts'
import { read } from '../../api/client.ts'
import { TextField } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { Reason } from '../../parts/reason.tsx'
import { TestOutcome, useTestMessage } from '../../parts/test-message.tsx'
import { readAgain, useChange } from '../../parts/use-change.ts'
import { useReader } from '../../reader.tsx'
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
  const body = { notification_channel_id: 'email', address: address.trim() }
  const call = callTo('POST', '/notification_addresses', body)
  const adding = useMutation({
    mutationFn: async (): Promise<Added> => {
      const { id } = await sendChange(call)
      return read(`/notification_addresses/${id}?fields=id,address,is_confirmed`)
    },
    onSettled: readAgain(client, { queryKey: ['notification_addresses'] }),
  })
  const { data } = adding
  if (data !== undefined && !data.is_confirmed) {
    return (
      <p role="status">
        {words.confirmFirst(data.address)} <Link href="/notifications">{words.toNotifications}</Link>
      </p>
    )
  }
  if (data !== undefined) return <Told address={data} onTold={onTold} />
  return (
    <Form
      className="stack"
      outcome={adding}
      submit={() => adding.mutate()}
      call={call}
      action={words.tellStart}
      look="primary"
      isReady={address.trim() !== ''}
    >
      <MessageLanguage />
      <TextField
        label={words.email}
        name="address"
        type="email"
        autoComplete="email"
        hint={words.tellHint}
        value={address}
        set={setAddress}
      />
    </Form>
  )
}

/** Offers the reader's language to the account, which speaks it in messages and reports. */
function MessageLanguage() {
  const words = useWords(welcomeWords)
  const { account, language } = useReader()
  const [isTaken, setTaken] = useState(false)
  const { mutate, isPending, error } = useChange()
  if (account.permissions?.['update'] !== true || account.language_id === language) return null
  const take = () =>
    mutate(callTo('PUT', '/accounts/my_account', { language_id: language }), { onSuccess: () => setTaken(true) })
  return (
    <div className="row">
      <span role="status">{isTaken ? words.languageTaken : words.languageDiffers}</span>
      {isTaken ? null : (
        <button type="button" className="button small" disabled={isPending} onClick={take}>
          {words.takeLanguage}
        </button>
      )}
      <Reason error={error} />
    </div>
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
