import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { RowAt } from '../../api/answers.ts'
import { callTo } from '../../api/calls.ts'
import { read } from '../../api/client.ts'
import { LinesField } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Reason } from '../../parts/reason.tsx'
import { useChange } from '../../parts/use-change.ts'
import { useWords } from '../../words/words.ts'
import type { ShownChange } from './use-failure.ts'
import { failureWords } from './words.ts'

const maximumLength = 5000

const asked = 'sort=time&limit=1000&embed=account.name,account.username,permissions'
export type ShownComment = RowAt<`${ReturnType<typeof commentsPath>}?${typeof asked}`>

export function commentsPath(serviceId: number, { change_id: id }: Pick<ShownChange, 'change_id'>) {
  return `/services/${serviceId}/history/status_changes/${id}/comments` as const
}

/** All of them: a failure has a thousand at most. */
export function useComments(serviceId: number, change: ShownChange) {
  const path = commentsPath(serviceId, change)
  return useQuery({
    queryKey: ['comments', path],
    refetchInterval: 10_000,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => read(`${path}?${asked}`, signal),
  })
}

/** Writes one below the others. */
export function CommentForm({ serviceId, change }: { readonly serviceId: number; readonly change: ShownChange }) {
  const words = useWords(failureWords)
  const [text, setText] = useState('')
  const changing = useChange()
  if (!change.permissions.update) return null
  const call = callTo('POST', commentsPath(serviceId, change), { text: text.trim() })
  const send = (settle: () => void) => {
    const onSuccess = () => {
      setText('')
      settle()
    }
    changing.mutate(call, { onSuccess })
  }
  return (
    <Form
      className="inside stack comment-form"
      outcome={changing}
      submit={send}
      call={text.trim() === '' ? null : call}
      action={words.addComment}
      isReady={text.trim() !== ''}
      isUnsaved={text.trim() !== ''}
      saved={words.commentAdded}
    >
      <LinesField label={words.comment} name="text" rows={2} maxLength={maximumLength} value={text} set={setText} />
    </Form>
  )
}

/** Deletes one's own. */
export function DeleteComment({
  path,
  comment,
}: {
  readonly path: ReturnType<typeof commentsPath>
  readonly comment: ShownComment
}) {
  const words = useWords(failureWords)
  const { mutate, isPending, error } = useChange()
  if (!comment.permissions.delete) return null
  return (
    <>
      <button
        type="button"
        className="button plain small"
        disabled={isPending}
        onClick={() => mutate(callTo('DELETE', `${path}/${comment.id}`))}
      >
        <Icon name="close" />
        {words.deleteComment}
      </button>
      <span role="status" className="problem">
        <Reason error={error} />
      </span>
    </>
  )
}
