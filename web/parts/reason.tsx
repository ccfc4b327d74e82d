import { Unreachable } from '../api/client.ts'
import { useWords } from '../words/words.ts'
import { partWords } from './words.ts'

/** Why a button did nothing, in words; nothing while there is no error. */
export function Reason({ error }: { readonly error: Error | null }) {
  const words = useWords(partWords)
  return error instanceof Unreachable ? words.notDone : error?.message
}
