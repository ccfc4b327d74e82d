import { useWords } from '../words/words.ts'
import { TextField } from './fields.tsx'
import { partWords } from './words.ts'

interface WhyProps {
  readonly value: string
  readonly set: (value: string) => void
}

/** The reason of a suspension, which may be left empty. */
export function WhyField(props: WhyProps) {
  const { why, whyHint } = useWords(partWords)
  return <TextField label={why} name="description" hint={whyHint} maxLength={1000} {...props} />
}
