import { useState } from 'react'
import type { Channel, ContactAddress, NotificationAddress } from '../../api/answers.ts'
import { callTo } from '../../api/calls.ts'
import { useReader } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { EditDialog } from '../edit-dialog.tsx'
import { CheckField, ChoiceField, TextField } from '../fields.tsx'
import { Picks } from '../on-call/picks.tsx'
import { TestOutcome, type Tried, useTrialMessage } from '../test-message.tsx'
import {
  type ShownAddress,
  type ShownGroup,
  useChannels,
  usePackageChannels,
  useTagContacts,
} from './address-queries.ts'
import { ChannelFields, type Settings } from './channel-fields.tsx'
import { ThisBrowser } from './this-browser.tsx'
import { useForExisting } from './use-for-existing.tsx'
import { notificationsWords } from './words.ts'

interface FormProps {
  /** Null: a new one. */
  readonly address: ShownAddress | null
  readonly place: AddressPlace
  readonly closed: () => void
}

/** The owner of the address. `groupAsked`: the group of a new address, if the reader may add to it. */
export type AddressPlace =
  | {
      readonly collection: 'notification_addresses'
      readonly groups: readonly ShownGroup[]
      readonly groupAsked: number
    }
  | { readonly collection: 'contact_addresses'; readonly contactId: number; readonly name: string }

interface Draft {
  readonly channelId: string
  /** For a channel without fields. */
  readonly address: string
  readonly settings: Settings
  /** A URL that tells channel and settings by itself; only of a new one. */
  readonly pasted: string
  readonly description: string
  /** The group, or the contact. */
  readonly placeId: number
  readonly isEnabled: boolean
  /** It hears of services with one of them; empty: of all. */
  readonly tags: readonly string[]
}

function draftOf(shown: NotificationAddress | ContactAddress): Draft {
  const { address, description, notification_channel_id: channelId, is_enabled: isEnabled } = shown
  const placeId = 'group_id' in shown ? shown.group_id : shown.contact_id
  const tags = 'group_id' in shown ? (shown.tags ?? []) : []
  return { channelId, address, settings: shown.settings as Settings, pasted: '', description, placeId, isEnabled, tags }
}

/** The request's body: a channel with fields derives the address from them. */
function bodyOf(draft: Draft, { collection }: AddressPlace, channels: readonly Channel[]) {
  const { channelId, address, settings, pasted, description, placeId, isEnabled, tags } = draft
  const narrowed = tags.length === 0 ? null : tags
  const whose = collection === 'contact_addresses' ? { contact_id: placeId } : { group_id: placeId, tags: narrowed }
  const common = { description, ...whose, is_enabled: isEnabled }
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

/** The group that was asked for, else the one in which the reader's new services are. */
function firstPlace(place: AddressPlace, accountId: number): number {
  if (place.collection === 'contact_addresses') return place.contactId
  const own = place.groups.filter(mayAddTo)
  const usual = own.find(({ is_default, owner_id }) => is_default && owner_id === accountId)
  return (own.find(({ id }) => id === place.groupAsked) ?? usual ?? own[0])?.id ?? 0
}

function mayAddTo({ permissions }: ShownGroup): boolean {
  return permissions['create_notification_addresses'] === true
}

/** Adds an address to a group or a contact, or changes one. */
export function AddressForm({ address, place, closed }: FormProps) {
  const words = useWords(notificationsWords)
  const { account } = useReader()
  const { data: channels = [] } = useChannels()
  const { data: ofPackage } = usePackageChannels()
  const [draft, setDraft] = useState<Draft>(() =>
    address === null
      ? {
          ...{ channelId: 'email', address: '', settings: {}, pasted: '', description: '', isEnabled: true },
          ...{ placeId: firstPlace(place, account.id), tags: [] },
        }
      : draftOf(address),
  )
  const set = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  const existing = useForExisting({
    ...{ groupId: draft.placeId, channelId: draft.channelId },
    isAsked: address === null && draft.pasted === '' && place.collection === 'notification_addresses',
  })
  const collection = `/${place.collection}` as const
  const path = address === null ? null : (`${collection}/${address.id}` as const)
  const allowed = ofPackage?.available_notification_channel_ids
  const offered = channels.filter(({ id }) => id === draft.channelId || (allowed?.includes(id) ?? true))
  return (
    <EditDialog
      title={address !== null ? words.editTitle : 'name' in place ? words.addTo(place.name) : words.add}
      action={words.save}
      making={callTo('POST', collection, bodyOf(draft, place, channels))}
      editing={{ path, state: draft, set: setDraft, read: draftOf, body: (state) => bodyOf(state, place, channels) }}
      secrets={secretsOf(draft, channels)}
      done={existing.take}
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
      {place.collection === 'contact_addresses' ? null : (
        <>
          <ChoiceField
            label={words.group}
            name="group_id"
            value={String(draft.placeId)}
            options={place.groups.filter(mayAddTo)}
            set={(id) => set({ placeId: Number(id) })}
          />
          <TagPicks chosen={draft.tags} choose={(tags) => set({ tags })} />
          {existing.offer}
        </>
      )}
      <TextField
        label={words.description}
        name="description"
        value={draft.description}
        set={(description) => set({ description })}
      />
      {address === null ? (
        <Trial collection={collection} body={bodyOf(draft, place, channels)} />
      ) : (
        <CheckField label={words.enabled} checked={draft.isEnabled} set={(isEnabled) => set({ isEnabled })} />
      )}
    </EditDialog>
  )
}

/** The tags whose services it hears of; nothing while the account has none. */
function TagPicks({
  chosen,
  choose,
}: {
  readonly chosen: readonly string[]
  readonly choose: (tags: readonly string[]) => void
}) {
  const words = useWords(notificationsWords)
  const { data: tags = [] } = useTagContacts()
  const names = [...new Set([...chosen, ...tags.map(({ name }) => name)])]
  if (names.length === 0) return null
  return (
    <>
      <Picks
        legend={words.onlyTags}
        name="tags"
        all={names.map((name) => ({ id: name, name }))}
        chosen={chosen}
        choose={choose}
      />
      <p className="hint">{words.onlyTagsHint}</p>
    </>
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
function Trial({ collection, body }: { readonly collection: Tried; readonly body: object }) {
  const words = useWords(notificationsWords)
  const trial = useTrialMessage(collection)
  return (
    <div className="row">
      <button type="button" className="button small" disabled={trial.isPending} onClick={() => trial.mutate(body)}>
        {words.test}
      </button>
      <TestOutcome {...trial} />
    </div>
  )
}
