import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { callTo } from '../../../api/calls.ts'
import { read } from '../../../api/client.ts'
import { Dialog } from '../../../parts/dialog.tsx'
import { Form } from '../../../parts/form.tsx'
import { groupNames, useToldApart } from '../../../parts/group-names.ts'
import { WhyField } from '../../../parts/why-field.tsx'
import { partWords } from '../../../parts/words.ts'
import { useFormat } from '../../../reader.tsx'
import { useWords } from '../../../words/words.ts'
import type { BulkAction } from './bulk-run.ts'
import { bulkWords } from './words.ts'

/** Actions that need to know something first. */
export type AskingAction = 'suspend' | 'move' | 'interval' | 'tags' | 'remove'

interface DialogProps {
  readonly count: number
  readonly go: (action: BulkAction) => void
  readonly close: () => void
}

const forms = { suspend: SuspendForm, move: MoveForm, interval: IntervalForm, tags: TagsForm, remove: RemoveForm }

/** Asks what the chosen action needs. */
export function BulkDialog({ action, ...props }: DialogProps & { readonly action: AskingAction }) {
  const Form = forms[action]
  return <Form {...props} />
}

interface FrameProps {
  readonly title: string
  /** Null: something is missing yet. */
  readonly action: BulkAction | null
  readonly isDanger?: boolean
  readonly go: (action: BulkAction) => void
  readonly close: () => void
  readonly children: ReactNode
}

function Frame({ title, action, isDanger = false, go, close, children }: FrameProps) {
  const words = useWords(bulkWords)
  const parts = useWords(partWords)
  const dialog = useRef<HTMLDialogElement>(null)
  return (
    <Dialog ref={dialog} title={title.replace(/…$/, '')} closed={close}>
      <Form
        outcome={{ error: null, isPending: false }}
        submit={() => {
          dialog.current?.close()
          if (action !== null) go(action)
        }}
        call={null}
        action={words.go}
        look={isDanger ? 'danger' : 'primary'}
        isReady={action !== null}
        // A number typed to confirm a deletion is nothing to lose.
        {...(isDanger ? { isUnsaved: false } : {})}
        more={
          <button type="button" className="button" onClick={() => dialog.current?.close()}>
            {parts.cancel}
          </button>
        }
      >
        {children}
      </Form>
    </Dialog>
  )
}

function SuspendForm({ go, close }: DialogProps) {
  const words = useWords(bulkWords)
  const [hours, setHours] = useState('1')
  const [isQuiet, setQuiet] = useState(false)
  const [why, setWhy] = useState('')
  const seconds = Math.round(Number(hours) * 3600)
  const action: BulkAction | null =
    seconds > 0
      ? (ids) =>
          callTo('POST', '/suspensions/bulk_create', {
            service_ids: ids,
            end_time: new Date(Date.now() + seconds * 1000).toISOString(),
            only_notifications: isQuiet,
            description: why,
          })
      : null
  return (
    <Frame title={words.suspend} action={action} go={go} close={close}>
      <label className="field">
        {words.suspendHours}
        <input type="number" min={0.25} step={0.25} value={hours} onChange={({ target }) => setHours(target.value)} />
      </label>
      <label className="row">
        <input type="checkbox" checked={isQuiet} onChange={({ target }) => setQuiet(target.checked)} />
        {words.onlyNotifications}
      </label>
      <WhyField value={why} set={setWhy} />
    </Frame>
  )
}

function MoveForm({ go, close }: DialogProps) {
  const words = useWords(bulkWords)
  const [chosen, setChosen] = useState('')
  const { data } = useQuery({
    queryKey: ['groups', 'for_services', 'names'],
    queryFn: ({ signal }) =>
      read(`/groups?permissions.create_services=true&${groupNames}&sort=name&limit=1000`, signal),
  })
  const groups = useToldApart(data) ?? []
  const action: BulkAction | null =
    chosen === '' ? null : (ids) => callTo('POST', '/services/bulk_change_group', { ids, group_id: Number(chosen) })
  return (
    <Frame title={words.move} action={action} go={go} close={close}>
      <label className="field">
        {words.moveTo}
        <select value={chosen} onChange={({ target }) => setChosen(target.value)}>
          <option value="">{words.chooseGroup}</option>
          {groups.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </Frame>
  )
}

/** Sets members of every selected service. */
function setting(set: { readonly interval: number } | { readonly tags: readonly string[] }): BulkAction {
  return (ids) => callTo('POST', '/services/bulk_update', { ids, set })
}

function IntervalForm({ go, close }: DialogProps) {
  const words = useWords(bulkWords)
  const [seconds, setSeconds] = useState('60')
  const action = Number(seconds) >= 1 ? setting({ interval: Number(seconds) }) : null
  return (
    <Frame title={words.interval} action={action} go={go} close={close}>
      <label className="field">
        {words.everySeconds}
        <input type="number" min={1} step={1} value={seconds} onChange={({ target }) => setSeconds(target.value)} />
      </label>
    </Frame>
  )
}

function TagsForm({ go, close }: DialogProps) {
  const words = useWords(bulkWords)
  const [text, setText] = useState('')
  const tags = text.split(',').flatMap((tag) => (tag.trim() === '' ? [] : [tag.trim()]))
  return (
    <Frame title={words.tags} action={setting({ tags })} go={go} close={close}>
      <label className="field">
        {words.tagsSet}
        <input value={text} autoComplete="off" onChange={({ target }) => setText(target.value)} />
        <span className="hint">{words.tagsHint}</span>
      </label>
    </Frame>
  )
}

function RemoveForm({ count, go, close }: DialogProps) {
  const words = useWords(bulkWords)
  const format = useFormat()
  const [typed, setTyped] = useState('')
  const isSure = typed.replaceAll(/\D/g, '') === String(count)
  const action: BulkAction | null = isSure ? (ids) => callTo('POST', '/services/bulk_delete', { ids }) : null
  return (
    <Frame title={words.remove} action={action} isDanger go={go} close={close}>
      <p>{words.removeText(format.number(count), count)}</p>
      <label className="field">
        {words.typeNumber(String(count))}
        <input inputMode="numeric" autoComplete="off" value={typed} onChange={({ target }) => setTyped(target.value)} />
      </label>
    </Frame>
  )
}
