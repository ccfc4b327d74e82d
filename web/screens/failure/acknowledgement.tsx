import { useState } from 'react'
import { callTo } from '../../api/calls.ts'
import { Acknowledged } from '../../parts/acknowledged.tsx'
import { LinesField } from '../../parts/fields.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Reason } from '../../parts/reason.tsx'
import { useChange } from '../../parts/use-change.ts'
import { useFormat, useReader } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import type { ShownChange } from './use-failure.ts'
import { failureWords } from './words.ts'

const maximumLength = 1000

interface AcknowledgementProps {
  readonly serviceId: number
  readonly change: ShownChange
}

/** Shows the acknowledgement of the failure. Readers with the right may acknowledge it or withdraw that. */
export function Acknowledgement({ serviceId, change }: AcknowledgementProps) {
  const words = useWords(failureWords)
  const format = useFormat()
  const nameOf = useAuthor()
  const { mutate, isPending, error } = useChange()
  const [isAsked, setAsked] = useState(false)
  const path = `/services/${serviceId}/history/status_changes/${change.change_id}` as const
  const { acknowledged_at: at, acknowledgement_comment: comment } = change
  // Nobody need answer for a failure that has ended.
  if (at === null && (!change.permissions.update || change.end_time !== null)) return null
  return (
    <div className="row acknowledgement">
      {/* There before it says something, so that screen readers tell who acknowledged. */}
      <span role="status" className="row">
        {at === null ? null : (
          <>
            <Acknowledged />
            <span>
              {words.acknowledgedBy(
                change.acknowledged_by_name ?? nameOf(change.acknowledged_by_account_id, change.acknowledged_by),
                format.moment(at),
                format.zone,
              )}
              {comment === null || comment === '' ? null : <q className="prose">{comment}</q>}
            </span>
          </>
        )}
      </span>
      {at === null ? (
        <button type="button" className="button primary" onClick={() => setAsked(true)}>
          <Icon name="seen" />
          {words.acknowledge}
        </button>
      ) : null}
      {at !== null && change.permissions.update ? (
        <button
          type="button"
          className="button small"
          disabled={isPending}
          onClick={() => mutate(callTo('POST', `${path}/unacknowledge`))}
        >
          {words.unacknowledge}
        </button>
      ) : null}
      <span role="status" className="problem">
        <Reason error={error} />
      </span>
      {isAsked ? <AcknowledgeDialog path={path} closed={() => setAsked(false)} /> : null}
    </div>
  )
}

interface DialogProps {
  readonly path: `/services/${number}/history/status_changes/${string}`
  readonly closed: () => void
}

function AcknowledgeDialog({ path, closed }: DialogProps) {
  const words = useWords(failureWords)
  const [comment, setComment] = useState('')
  const body = comment.trim() === '' ? {} : { comment: comment.trim() }
  return (
    <FormDialog
      title={words.acknowledge}
      action={words.acknowledge}
      request={() => callTo('POST', `${path}/acknowledge`, body)}
      closed={closed}
    >
      <p>{words.acknowledgeText}</p>
      <LinesField
        label={words.acknowledgeComment}
        name="comment"
        rows={2}
        maxLength={maximumLength}
        value={comment}
        set={setComment}
      />
    </FormDialog>
  )
}

/** The name of an account, as far as the reader may know it. */
export function useAuthor() {
  const words = useWords(failureWords)
  const { account } = useReader()
  return (id: number | null, known: { readonly name: string; readonly username: string } | null | undefined) =>
    id === account.id ? words.you : ((known?.name || known?.username) ?? words.somebody)
}
