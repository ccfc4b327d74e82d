import { useState } from 'react'
import { Link } from 'wouter'
import { callTo } from '../../api/calls.ts'
import { Icon } from '../../parts/icon.tsx'
import { Reason } from '../../parts/reason.tsx'
import { type Change, useChange } from '../../parts/use-change.ts'
import { useWords } from '../../words/words.ts'
import type { ShownService } from './service-query.ts'
import { useSuspensionsNow } from './state-now.tsx'
import { SuspendDialog } from './suspend-dialog.tsx'
import { serviceWords } from './words.ts'

/** The actions that the reader may perform on a service. */
export function ServiceActions({ service }: { readonly service: ShownService }) {
  const words = useWords(serviceWords)
  const { mutate, isPending, error } = useChange()
  const [said, setSaid] = useState('')
  const [isSuspending, setSuspending] = useState(false)
  const { data: suspensions = [] } = useSuspensionsNow(service.id)
  // It stays no longer than the suspension, which may be ended beside it.
  const isOver = said === words.suspendDone && suspensions.length === 0
  const { id, type_id, is_active, is_archived, permissions } = service
  const send = (call: Change, done: string) => {
    setSaid('')
    mutate(call, { onSuccess: () => setSaid(done) })
  }
  return (
    <div className="row actions">
      {permissions['force_analyses'] === true && is_active && !is_archived && type_id !== 'heartbeat' ? (
        <button
          type="button"
          className="button primary"
          disabled={isPending}
          onClick={() => send(callTo('POST', `/services/${id}/force_analysis`), words.checkAsked)}
        >
          <Icon name="again" />
          {words.checkNow}
        </button>
      ) : null}
      {permissions['create_suspensions'] === true && !is_archived ? (
        <button type="button" className="button" onClick={() => setSuspending(true)}>
          <Icon name="suspended" />
          {words.suspend}
        </button>
      ) : null}
      {permissions['update'] === true && !is_archived ? (
        <>
          <button
            type="button"
            className="button"
            disabled={isPending}
            onClick={() => send(callTo('PUT', `/services/${id}`, { is_active: !is_active }), words.done)}
          >
            <Icon name={is_active ? 'paused' : 'ok'} />
            {is_active ? words.pause : words.resume}
          </button>
          <Link href={`/services/${id}/edit`} className="button">
            <Icon name="edit" />
            {words.edit}
          </Link>
          <Link href={`/services/new?clone=${id}`} className="button">
            <Icon name="copy" />
            {words.clone}
          </Link>
        </>
      ) : null}
      <span role="status" className={error === null ? 'dim' : 'problem'}>
        {error === null ? isOver ? '' : said : <Reason error={error} />}
      </span>
      {isSuspending ? (
        <SuspendDialog serviceId={id} done={() => setSaid(words.suspendDone)} closed={() => setSuspending(false)} />
      ) : null}
    </div>
  )
}
