import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callTo } from '../../api/calls.ts'
import { read } from '../../api/client.ts'
import { CheckField, LinesField } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { useChange } from '../../parts/use-change.ts'
import { useWords } from '../../words/words.ts'
import { lets } from './networks.ts'
import { securityWords } from './security-words.ts'
import { type UserData, useUserData } from './user-data.ts'

/** From which addresses the login works. */
export function AddressFilter() {
  const words = useWords(securityWords)
  const data = useUserData()
  const own = useQuery({
    queryKey: ['my_ip_address'],
    queryFn: async ({ signal }) => (await read('/system/my_ip_address', signal)).ip_address,
  })
  const error = data.error ?? own.error
  return (
    <section className="card">
      <header>
        <h2>{words.filter}</h2>
      </header>
      {data.data !== undefined && own.data !== undefined ? (
        <FilterFields data={data.data} own={own.data} />
      ) : error === null ? (
        <Loading what={words.filter} />
      ) : (
        <Trouble error={error} again={() => void Promise.all([data.refetch(), own.refetch()])} />
      )}
    </section>
  )
}

function FilterFields({ data, own }: { readonly data: UserData; readonly own: string }) {
  const words = useWords(securityWords)
  const [text, setText] = useState(data.ip_whitelist.join('\n'))
  const [isOn, setOn] = useState(data.ip_whitelist_enabled)
  const [isSure, setSure] = useState(false)
  const changing = useChange()
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  const body = { ip_whitelist: lines, ip_whitelist_enabled: isOn }
  const call = callTo('PUT', '/user_data/my_user_data', body)
  const locksOut = isOn && !lines.some((line) => lets(line, own))
  return (
    <Form
      className="inside stack"
      outcome={changing}
      submit={(settle) => changing.mutate(call, { onSuccess: settle })}
      call={call}
      action={data.permissions.update ? words.save : null}
      isReady={!locksOut || isSure}
      saved={words.saved}
    >
      <p>
        {words.filterText} {words.own(own)}
      </p>
      <fieldset className="plain stack" disabled={!data.permissions.update}>
        <CheckField label={words.filterOn} checked={isOn} set={setOn} />
        <LinesField label={words.addresses} name="ip_whitelist" hint={words.addressesHint} value={text} set={setText} />
        {locksOut ? (
          <div className="warning-note stack" role="alert">
            <p>{words.locksOut(own)}</p>
            <div className="row">
              <button type="button" className="button" onClick={() => setText([...lines, own].join('\n'))}>
                {words.addOwn}
              </button>
            </div>
            <CheckField label={words.locksOutAnyway} checked={isSure} set={setSure} />
          </div>
        ) : null}
      </fieldset>
    </Form>
  )
}
