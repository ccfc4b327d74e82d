import { useRef, useState } from 'react'
import { callTo } from '../../api/calls.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Icon } from '../../parts/icon.tsx'
import type { ShownRotation } from '../../parts/on-call/on-call-queries.ts'
import { onCallWords } from '../../parts/on-call/words.ts'
import { Reason } from '../../parts/reason.tsx'
import { useChange } from '../../parts/use-change.ts'
import { partWords } from '../../parts/words.ts'
import { useFormat } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'

/** The secret link by which calendar programs subscribe to the rotation. */
export function CalendarLink({ rotation }: { readonly rotation: ShownRotation }) {
  const words = useWords(onCallWords)
  const [isAsked, setAsked] = useState(false)
  if (rotation.permissions['update'] !== true) return null
  return (
    <div className="row">
      <button
        type="button"
        className="button small"
        aria-label={words.calendarLinkOf(rotation.name)}
        onClick={() => setAsked(true)}
      >
        <Icon name="suspended" />
        {words.calendarLink}
      </button>
      {isAsked ? <LinkDialog rotation={rotation} closed={() => setAsked(false)} /> : null}
    </div>
  )
}

function LinkDialog({ rotation, closed }: { readonly rotation: ShownRotation; readonly closed: () => void }) {
  const words = useWords(onCallWords)
  const parts = useWords(partWords)
  const dialog = useRef<HTMLDialogElement>(null)
  const making = useChange()
  const revoking = useChange()
  const [url, setUrl] = useState<string | null>(null)
  const path = `/rotations/${rotation.id}/calendar_link` as const
  const make = () => {
    revoking.reset()
    making.mutate(callTo('POST', path), { onSuccess: (made) => setUrl(urlOf(made)) })
  }
  const revoke = () => {
    making.reset()
    revoking.mutate(callTo('DELETE', path), { onSuccess: () => setUrl(null) })
  }
  const error = making.error ?? revoking.error
  return (
    <Dialog ref={dialog} title={words.calendarLinkOf(rotation.name)} closed={closed}>
      <div className="inside">
        <p className="hint">{words.calendarLinkText}</p>
        {url === null ? <LinkState rotation={rotation} isRevoked={revoking.isSuccess} /> : <FreshLink url={url} />}
        {error === null ? null : (
          <p className="problem" role="alert">
            <Reason error={error} />
          </p>
        )}
        <div className="row">
          <button type="button" className="button primary" disabled={making.isPending} onClick={make}>
            {words.makeLink}
          </button>
          {rotation.link_prefix === null ? null : (
            <button type="button" className="button danger" disabled={revoking.isPending} onClick={revoke}>
              {words.revokeLink}
            </button>
          )}
          <button type="button" className="button" onClick={() => dialog.current?.close()}>
            {parts.close}
          </button>
        </div>
      </div>
    </Dialog>
  )
}

function urlOf(made: unknown): string {
  return (made as { readonly url: string }).url
}

function FreshLink({ url }: { readonly url: string }) {
  const words = useWords(onCallWords)
  return (
    <div role="status">
      <label className="field">
        {words.calendarLinkUrl}
        <input readOnly value={url} onFocus={({ target }) => target.select()} />
      </label>
      <CopyButton text={url} />
    </div>
  )
}

function LinkState({ rotation, isRevoked }: { readonly rotation: ShownRotation; readonly isRevoked: boolean }) {
  const words = useWords(onCallWords)
  const format = useFormat()
  const { link_prefix: prefix, link_used_at: used } = rotation
  if (prefix === null) return <p role="status">{isRevoked ? words.linkRevoked : words.noLink}</p>
  return <p>{used === null ? words.linkUnused(prefix) : words.linkInUse(prefix, format.moment(used))}</p>
}
