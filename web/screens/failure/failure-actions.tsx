import { useRef, useState } from 'react'
import { Link } from 'wouter'
import { Icon } from '../../parts/icon.tsx'
import { useChange } from '../../parts/use-change.ts'
import { partWords } from '../../parts/words.ts'
import { useWords } from '../../words/words.ts'
import type { ShownService } from '../service/service-query.ts'
import { CorrectDialog } from './correct-dialog.tsx'
import type { ShownChange } from './use-failure.ts'
import { failureWords } from './words.ts'

/** What can be done about a failure. */
export function FailureActions({
  service,
  change,
}: {
  readonly service: ShownService
  readonly change: ShownChange | null
}) {
  const words = useWords(failureWords)
  const parts = useWords(partWords)
  const [said, setSaid] = useState('')
  const { mutate, isPending, error } = useChange()
  const dialog = useRef<HTMLDialogElement>(null)
  const { permissions } = service
  return (
    <div className="row actions">
      {permissions['force_analyses'] === true && service.is_active && !service.is_archived ? (
        <button
          type="button"
          className="button"
          disabled={isPending}
          onClick={() =>
            mutate(
              { method: 'POST', path: `/services/${service.id}/force_analysis` },
              { onSuccess: () => setSaid(words.checkAsked) },
            )
          }
        >
          <Icon name="again" />
          {words.checkNow}
        </button>
      ) : null}
      {permissions['update'] === true && change !== null ? (
        <button type="button" className="button" onClick={() => dialog.current?.showModal()}>
          <Icon name="edit" />
          {words.correct}
        </button>
      ) : null}
      <button
        type="button"
        className="button"
        onClick={() => void navigator.clipboard.writeText(location.href).then(() => setSaid(parts.copied))}
      >
        <Icon name="copy" />
        {words.copyLink}
      </button>
      <Link href={`/services/${service.id}`} className="button plain">
        {words.toService}
      </Link>
      <span role="status" className={error === null ? 'dim' : 'problem'}>
        {error === null ? said : error.message}
      </span>
      {change === null ? null : (
        <CorrectDialog
          ref={dialog}
          serviceId={service.id}
          change={change}
          done={() => {
            dialog.current?.close()
            setSaid(words.corrected)
          }}
        />
      )}
    </div>
  )
}
