import { useState } from 'react'
import { callTo } from '../../api/calls.ts'
import { EditDialog } from '../../parts/edit-dialog.tsx'
import { CheckField, ChoiceField, TextField } from '../../parts/fields.tsx'
import { Things } from '../../parts/things.tsx'
import { useWords } from '../../words/words.ts'
import type { ShownComponent } from './queries.ts'
import { SubscriberFiles } from './subscriber-files.tsx'
import { type ShownSubscriber, subscriberKinds, useSubscriberCounts, useSubscribers } from './subscriber-queries.ts'
import { subscriberWords } from './subscriber-words.ts'

const step = 50

interface SubscribersProps {
  readonly pageId: number
  readonly components: readonly ShownComponent[]
}

/** The subscribers of a page: counts, search, adding and removing. */
export function Subscribers({ pageId, components }: SubscribersProps) {
  const words = useWords(subscriberWords)
  const [searched, setSearched] = useState('')
  const [limit, setLimit] = useState(step)
  const { data } = useSubscribers(pageId, searched.trim(), limit)
  if (data === undefined) return null
  return (
    <>
      <Things
        id="subscribers"
        title={words.title}
        add={words.add}
        collection="/status_page_subscribers"
        things={data.rows}
        empty={
          <>
            <b>{searched === '' ? words.none : words.noneFound}</b>
            <p>{words.noneText}</p>
          </>
        }
        show={(subscriber) => <Shown subscriber={subscriber} />}
        form={(subscriber, closed) => <SubscriberForm {...{ pageId, subscriber, components, closed }} />}
        removeText={words.remove}
        // There is nothing to search for in an empty list.
        tools={
          data.total === 0 && searched === '' ? undefined : (
            <TextField label={words.search} name="searched" value={searched} maxLength={200} set={setSearched} />
          )
        }
      />
      {data.total > data.rows.length ? (
        <button type="button" className="button small" onClick={() => setLimit((before) => before + step)}>
          {words.more}
        </button>
      ) : null}
      <Counts pageId={pageId} />
      <SubscriberFiles pageId={pageId} />
    </>
  )
}

function Counts({ pageId }: { readonly pageId: number }) {
  const words = useWords(subscriberWords)
  const { data } = useSubscriberCounts(pageId)
  if (data === undefined || data.kinds.length === 0) return null
  const kinds = data.kinds.map(({ kind, count }) => words.counted(words.kinds[kind], count))
  const waiting = data.waiting === 0 ? [] : [words.waiting(data.waiting)]
  return <p className="dim">{[...kinds, ...waiting].join(' · ')}</p>
}

function Shown({ subscriber }: { readonly subscriber: ShownSubscriber }) {
  const words = useWords(subscriberWords)
  const { address, kind, is_confirmed: isConfirmed, disabled_reason: reason, component_ids: chosen } = subscriber
  const state = reason != null ? words.disabled : isConfirmed ? words.confirmed : words.notConfirmed
  const choice = chosen.length === 0 ? words.everything : words.parts(chosen.length)
  return (
    <>
      <b>{address}</b>
      <span className="dim">{[words.kinds[kind], state, choice].join(' · ')}</span>
      {reason == null ? null : <span>{reason}</span>}
    </>
  )
}

/** Browsers subscribe by themselves. */
const kindsToAdd = subscriberKinds.filter((kind) => kind !== 'web_push')

function draftOf(subscriber: Partial<ShownSubscriber>) {
  return {
    kind: subscriber.kind ?? 'email',
    address: subscriber.address ?? '',
    componentIds: subscriber.component_ids ?? [],
  }
}

type Draft = ReturnType<typeof draftOf>

/** The choice of components is all that can be changed. */
const bodyOf = ({ componentIds }: Draft) => ({ component_ids: componentIds })

interface FormProps extends SubscribersProps {
  /** Null: a new one. */
  readonly subscriber: ShownSubscriber | null
  readonly closed: () => void
}

function SubscriberForm({ pageId, subscriber, components, closed }: FormProps) {
  const words = useWords(subscriberWords)
  const [draft, setDraft] = useState(() => draftOf(subscriber ?? {}))
  const set = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))

  const { kind, address } = draft
  const first = { status_page_id: pageId, kind, address, ...bodyOf(draft) }
  const path = subscriber === null ? null : (`/status_page_subscribers/${subscriber.id}` as const)
  return (
    <EditDialog
      title={subscriber === null ? words.add : subscriber.address}
      action={words.save}
      making={callTo('POST', '/status_page_subscribers', first)}
      editing={{ path, state: draft, set: setDraft, read: draftOf, body: bodyOf }}
      secrets={['address']}
      closed={closed}
    >
      {subscriber === null ? (
        <>
          <ChoiceField
            label={words.way}
            name="kind"
            value={draft.kind}
            options={kindsToAdd.map((kind) => ({ id: kind, name: words.kinds[kind] }))}
            set={(wanted) => set({ kind: kindsToAdd.find((kind) => kind === wanted) ?? 'email' })}
          />
          <TextField
            label={words.address}
            name="address"
            hint={words.addressHint}
            value={draft.address}
            maxLength={2048}
            set={(address) => set({ address })}
          />
        </>
      ) : null}
      {components.length === 0 ? null : (
        <fieldset>
          <legend className="label">{words.choice}</legend>
          <p className="hint">{words.choiceHint}</p>
          {components.map(({ id, name }) => (
            <CheckField
              key={id}
              label={name}
              checked={draft.componentIds.includes(id)}
              set={(isChosen) =>
                set({
                  componentIds: isChosen ? [...draft.componentIds, id] : draft.componentIds.filter((one) => one !== id),
                })
              }
            />
          ))}
        </fieldset>
      )}
    </EditDialog>
  )
}
