import { iso } from '../../format/zone.ts'
import { useReader } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { useFirstService } from './report-queries.ts'
import { reportWords } from './words.ts'

/** Why a report of a time until this moment is empty; nothing where it is not. */
export function NothingYet({ until }: { readonly until: number }) {
  const words = useWords(reportWords)
  const { format } = useReader()
  const { data: first } = useFirstService()
  if (first === undefined || (first !== null && first < until)) return null
  return (
    <p className="hint" role="status">
      {first === null ? words.noServices : words.beforeFirst(format.moment(iso(first)))}
    </p>
  )
}
