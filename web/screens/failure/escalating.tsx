import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { read } from '../../api/client.ts'
import { useFormat } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import type { ShownChange } from './use-failure.ts'
import { failureWords } from './words.ts'

const everyMs = 10_000

/** How far the escalation of the failure has come, and when it tells the next one; nothing where there is none. */
export function Escalating({ change }: { readonly change: ShownChange }) {
  const words = useWords(failureWords)
  const format = useFormat()
  const { change_id: changeId } = change
  const { data } = useQuery({
    queryKey: ['escalation_statuses', 'of failure', changeId],
    queryFn: ({ signal }) =>
      read(`/escalation_statuses?change_id=${changeId}&embed=escalation.name,escalation.steps&limit=1`, signal),
    refetchInterval: everyMs,
  })
  const status = data?.[0]
  if (status === undefined) return null
  const { state, step, escalation, next_at: nextAt, last_told_at: toldAt } = status
  const told =
    step === 0 || toldAt === null
      ? words.noStepYet
      : words.stepTold(step, escalation?.steps.length ?? step, format.moment(toldAt))
  const next = state === 'running' && nextAt !== null ? ` ${words.nextStep(format.moment(nextAt))}` : ''
  const ended = state === 'acknowledged' ? ` ${words.escalationStopped}` : ''
  return (
    <p>
      <Link href="/on-call">{words.escalation(escalation?.name ?? '')}</Link> {told}
      {next}
      {ended}
    </p>
  )
}
