import { useState } from 'react'
import { Link } from 'wouter'
import { callTo } from '../../api/calls.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { CorrectDialog } from '../../parts/correct/correct-dialog.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Reason } from '../../parts/reason.tsx'
import { useChange } from '../../parts/use-change.ts'
import { useWords } from '../../words/words.ts'
import type { ShownService } from '../service/service-query.ts'
import type { ShownChange } from './use-failure.ts'
import { failureWords } from './words.ts'

/** The length of the range whose level a correction shows. */
const month = 30 * 86_400_000

/** The actions for a failure. */
export function FailureActions({
  service,
  change,
}: {
  readonly service: ShownService
  readonly change: ShownChange | null
}) {
  const words = useWords(failureWords)
  const [said, setSaid] = useState('')
  const { mutate, isPending, error } = useChange()
  // The moment at which the dialog was opened.
  const [correctedAt, setCorrectedAt] = useState<number | null>(null)
  const { permissions, is_active, is_archived, type_id } = service
  return (
    <div className="row actions">
      {permissions['force_analyses'] === true && is_active && !is_archived && type_id !== 'heartbeat' ? (
        <button
          type="button"
          className="button"
          disabled={isPending}
          onClick={() =>
            mutate(callTo('POST', `/services/${service.id}/force_analysis`), {
              onSuccess: () => setSaid(words.checkAsked),
            })
          }
        >
          <Icon name="again" />
          {words.checkNow}
        </button>
      ) : null}
      {permissions['update'] === true && change !== null ? (
        <button type="button" className="button" onClick={() => setCorrectedAt(Math.floor(Date.now() / 1000) * 1000)}>
          <Icon name="edit" />
          {words.correct}
        </button>
      ) : null}
      <CopyButton text={location.href} label={words.copyLink} isLarge />
      <Link href={`/services/${service.id}`} className="button plain">
        {words.toService}
      </Link>
      <span role="status" className={error === null ? 'dim' : 'problem'}>
        {error === null ? said : <Reason error={error} />}
      </span>
      {change === null || correctedAt === null ? null : (
        <CorrectDialog
          serviceId={service.id}
          what={{
            kind: 'add',
            isLasting: change.end_time === null,
            range: {
              from: Date.parse(change.start_time),
              to: change.end_time === null ? correctedAt : Date.parse(change.end_time),
            },
          }}
          shown={{ from: correctedAt - month, to: correctedAt, isMonth: true }}
          close={(isDone) => {
            setCorrectedAt(null)
            if (isDone) setSaid(words.corrected)
          }}
        />
      )}
    </div>
  )
}
