import type { Address } from '../../api/address.ts'
import { callTo } from '../../api/calls.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import type { Managed } from '../../parts/managed.tsx'
import { useWords } from '../../words/words.ts'
import { reportWords } from './words.ts'

interface RemoveProps {
  readonly path: Address<'DELETE'>
  readonly name: string
  readonly text: string
  readonly managed?: Managed
  readonly done?: () => void
  readonly closed: () => void
}

/** Asks before something is deleted. */
export function RemoveForm({ path, name, text, ...rest }: RemoveProps) {
  const words = useWords(reportWords)
  return (
    <FormDialog
      className="report-dialog"
      title={words.removeTitle(name)}
      action={words.remove}
      isDangerous
      request={() => callTo('DELETE', path)}
      {...rest}
    >
      <p>{text}</p>
    </FormDialog>
  )
}
