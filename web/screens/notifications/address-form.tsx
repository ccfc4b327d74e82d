import { useState } from 'react'
import type { Channel } from '../../api/answers.ts'
import { EditDialog } from '../../parts/edit-dialog.tsx'
import { CheckField, ChoiceField, TextField } from '../../parts/fields.tsx'
import { TestOutcome, useTrialMessage } from '../../parts/test-message.tsx'
import { useWords } from '../../words/words.ts'
import { type ShownAddress, type ShownGroup, useChannels, usePackageChannels } from './address-queries.ts'
import { ChannelFields, type Settings } from './channel-fields.tsx'
import { ThisBrowser } from './this-browser.tsx'
import { notificationsWords } from './words.ts'

interface FormProps {
  /** Null: a new one. */
  readonly address: ShownAddress | null
  readonly groups: readonly ShownGroup[]
  /** The group that a new one is for, if the reader may add to it. */
  readonly groupAsked: number
  readonly closed: () => void
}

interface Draft {
  readonly channelId: string
  /** Of a channel without fields. */
  readonly address: string
  readonly settings: Settings
  /** A URL that tells channel and settings by itself; only of a new one. */
  readonly pasted: string
  readonly description: string
  readonly groupId: number
  readonly isEnabled: boolean
}

function draftOf(shown: ShownAddress): Draft {
  const { address, description, group_id: groupId, notification_channel_id: channelId, is_enabled: isEnabled } = shown
  return { channelId, address, settings: shown.settings as Settings, pasted: '', description, groupId, isEnabled }
}

/** What is sent: a channel with fields makes the address of them. */
function bodyOf(draft: Draft, channels: readonly Channel[]) {
  const { channelId, address, settings, pasted, description, groupId, isEnabled } = draft
  const common = { description, group_id: groupId, is_enabled: isEnabled }
  if (pasted !== '') return { ...common, address: pasted }
  const hasFields = (channels.find(({ id }) => id === channelId)?.fields.length ?? 0) > 0
  return { ...common, notification_channel_id: channelId, ...(hasFields ? { settings } : { address }) }
}

/** A URL that was pasted is one as a whole. */
function secretsOf({ channelId, pasted }: Draft, channels: readonly Channel[]): readonly string[] {
  const fields = channels.find(({ id }) => id === channelId)?.fields ?? []
  const secrets = fields.filter(({ type }) => type === 'secret').map(({ name }) => name)
  return pasted === '' ? secrets : ['address']
}

/** Adds an address to a group, or changes one. */
export function AddressForm({ address, groups, groupAsked, closed }: FormProps) {
  const words = useWords(notificationsWords)
  const { data: channels = [] } = useChannels()
  const { data: ofPackage } = usePackageChannels()
  const own = groups.filter(({ permissions }) => permissions['create_notification_addresses'] === true)
  const [draft, setDraft] = useState<Draft>(() =>
    address === null
      ? {
          ...{ channelId: 'email', address: '', settings: {}, pasted: '', description: '', isEnabled: true },
          groupId: (own.find(({ id }) => id === groupAsked) ?? own[0])?.id ?? 0,
        }
      : draftOf(address),
  )
  const set = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  const path = address === null ? null : `/notification_addresses/${address.id}`
  const allowed = ofPackage?.available_notification_channel_ids
  const offered = channels.filter(({ id }) => id === draft.channelId || (allowed?.includes(id) ?? true))
  return (
    <EditDialog
      title={address === null ? words.add : words.editTitle}
      action={words.save}
      collection="/notification_addresses"
      editing={{ path, state: draft, set: setDraft, read: draftOf, body: (state) => bodyOf(state, channels) }}
      secrets={secretsOf(draft, channels)}
      closed={closed}
    >
      {draft.pasted === '' ? (
        <Destination draft={draft} set={set} channels={offered} isSaved={address !== null} />
      ) : null}
      {address === null ? (
        <TextField
          label={words.pasted}
          name={draft.pasted === '' ? 'pasted' : 'address'}
          hint={words.pastedHint}
          inputMode="url"
          value={draft.pasted}
          set={(pasted) => set({ pasted: pasted.trim() })}
        />
      ) : null}
      <ChoiceField
        label={words.group}
        name="group_id"
        value={String(draft.groupId)}
        options={own}
        set={(id) => set({ groupId: Number(id) })}
      />
      <TextField
        label={words.description}
        name="description"
        value={draft.description}
        set={(description) => set({ description })}
      />
      {address === null ? (
        <Trial body={bodyOf(draft, channels)} />
      ) : (
        <CheckField label={words.enabled} checked={draft.isEnabled} set={(isEnabled) => set({ isEnabled })} />
      )}
    </EditDialog>
  )
}

interface DestinationProps {
  readonly draft: Draft
  readonly set: (part: Partial<Draft>) => void
  readonly channels: readonly Channel[]
  readonly isSaved: boolean
}

/** The channel, and what it has to know. */
function Destination({ draft, set, channels, isSaved }: DestinationProps) {
  const words = useWords(notificationsWords)
  const fields = channels.find(({ id }) => id === draft.channelId)?.fields ?? []
  const Fields = draft.channelId === 'web_push' ? ThisBrowser : ChannelFields
  const before = isSaved ? draft.channelId : null
  const [savedChannel] = useState(before)
  return (
    <>
      <ChoiceField
        label={words.channel}
        name="notification_channel_id"
        value={draft.channelId}
        options={channels}
        set={(channelId) => set({ channelId, settings: {} })}
      />
      {fields.length === 0 ? (
        <TextField label={words.address} name="address" value={draft.address} set={(address) => set({ address })} />
      ) : (
        <Fields
          fields={fields}
          settings={draft.settings}
          set={(settings) => set({ settings })}
          isSaved={savedChannel === draft.channelId}
        />
      )}
    </>
  )
}

/** A test message before anything is saved. */
function Trial({ body }: { readonly body: object }) {
  const words = useWords(notificationsWords)
  const trial = useTrialMessage()
  return (
    <div className="row">
      <button type="button" className="button small" disabled={trial.isPending} onClick={() => trial.mutate(body)}>
        {words.test}
      </button>
      <TestOutcome {...trial} />
    </div>
  )
}
