import { CheckField, ChoiceField, LinesField, TextField } from '../../parts/fields.tsx'
import { useWords } from '../../words/words.ts'
import type { Access, PageDraft } from './page-draft.ts'
import { statusPageWords } from './words.ts'

const accesses: readonly Access[] = ['public', 'password', 'link', 'addresses', 'login']

interface AccessProps {
  readonly draft: PageDraft
  readonly set: (part: Partial<PageDraft>) => void
}

/** The visitors to whom the page is shown. */
export function AccessFields({ draft, set }: AccessProps) {
  const words = useWords(statusPageWords)
  const chosen = (value: string) => accesses.find((access) => access === value) ?? 'public'
  return (
    <>
      <ChoiceField
        label={words.access}
        name="access"
        value={draft.access}
        options={accesses.map((id) => ({ id, name: words.accesses[id] }))}
        set={(access) => set({ access: chosen(access) })}
      />
      {draft.access === 'public' ? (
        <CheckField label={words.indexed} checked={draft.isIndexed} set={(isIndexed) => set({ isIndexed })} />
      ) : null}
      {draft.access === 'password' ? (
        <TextField
          label={words.password}
          name="password"
          hint={words.passwordKept}
          type="password"
          autoComplete="new-password"
          value={draft.password}
          set={(password) => set({ password })}
        />
      ) : null}
      {draft.access === 'addresses' ? (
        <LinesField
          label={words.addresses}
          name="allowed_addresses"
          hint={words.addressesHint}
          value={draft.addresses}
          set={(addresses) => set({ addresses })}
        />
      ) : null}
    </>
  )
}
