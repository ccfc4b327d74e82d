import { useId, useState } from 'react'
import { Refused } from '../../api/client.ts'
import { useChange } from '../../parts/use-change.ts'
import { partWords } from '../../parts/words.ts'
import { useWords } from '../../words/words.ts'
import { type ShownAddress, type ShownGroup, useChannels } from './address-queries.ts'
import { notificationsWords } from './words.ts'

interface FormProps {
  /** Null: a new one. */
  readonly address: ShownAddress | null
  readonly groups: readonly ShownGroup[]
  readonly close: () => void
}

/** Adds an address to a group, or changes one. */
export function AddressForm({ address, groups, close }: FormProps) {
  const words = useWords(notificationsWords)
  const parts = useWords(partWords)
  const problemId = useId()
  const { data: channels = [] } = useChannels()
  const own = groups.filter(({ permissions }) => permissions['create_notification_addresses'] === true)
  const [draft, setDraft] = useState({
    address: address?.address ?? '',
    description: address?.description ?? '',
    notification_channel_id: address?.notification_channel_id ?? 'email',
    group_id: address?.group_id ?? own[0]?.id ?? 0,
  })
  const set = (part: Partial<typeof draft>) => setDraft((before) => ({ ...before, ...part }))
  const { mutate, isPending, error } = useChange()
  const isWrong = error instanceof Refused && error.problems.some(({ field }) => field === 'data.address')
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        const [method, path] =
          address === null
            ? (['POST', '/notification_addresses'] as const)
            : (['PUT', `/notification_addresses/${address.id}`] as const)
        mutate({ method, path, body: draft }, { onSuccess: close })
      }}
    >
      <h2 id="address-title">{address === null ? words.add : words.editTitle}</h2>
      <label className="field">
        {words.channel}
        <select
          value={draft.notification_channel_id}
          onChange={({ target }) => {
            const chosen = channels.find(({ id }) => id === target.value)
            if (chosen !== undefined)
              set({ notification_channel_id: chosen.id as typeof draft.notification_channel_id })
          }}
        >
          {channels.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label className="field">
        {words.address}
        <input
          autoComplete="off"
          aria-invalid={isWrong}
          aria-describedby={error === null ? undefined : problemId}
          value={draft.address}
          onChange={({ target }) => set({ address: target.value })}
        />
      </label>
      <label className="field">
        {words.group}
        <select value={draft.group_id} onChange={({ target }) => set({ group_id: Number(target.value) })}>
          {own.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label className="field">
        {words.description}
        <input
          autoComplete="off"
          value={draft.description}
          onChange={({ target }) => set({ description: target.value })}
        />
      </label>
      {error === null ? null : (
        <p id={problemId} className="problem" role="alert">
          {error.message}
        </p>
      )}
      <div className="row">
        <button type="submit" className="button primary" disabled={isPending}>
          {words.save}
        </button>
        <button type="button" className="button" onClick={close}>
          {parts.cancel}
        </button>
      </div>
    </form>
  )
}
