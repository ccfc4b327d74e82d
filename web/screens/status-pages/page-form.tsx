import { useState } from 'react'
import type { StatusPage } from '../../api/answers.ts'
import { EditDialog } from '../../parts/edit-dialog.tsx'
import { CheckField, ChoiceField, LinesField, TextField } from '../../parts/fields.tsx'
import { useTerms } from '../../parts/terms.ts'
import { useReader } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import type { ShownPage } from './queries.ts'
import { statusPageWords } from './words.ts'

type Access = StatusPage['access']
const accesses: readonly Access[] = ['public', 'password', 'link', 'addresses', 'login']

function draftOf(page: Partial<StatusPage>) {
  return {
    slug: page.slug ?? '',
    title: page.title ?? '',
    description: page.description ?? '',
    language: String(page.language_id ?? 'en'),
    zone: String(page.time_zone_id ?? 'utc'),
    accent: page.theme?.accent ?? '',
    access: page.access ?? 'public',
    password: '',
    addresses: (page.allowed_addresses ?? []).join('\n'),
    delay: String(page.publish_after_seconds ?? 180),
    autoPublish: page.auto_publish ?? false,
    suspensions: page.shows_suspensions ?? false,
  }
}

type Draft = ReturnType<typeof draftOf>

function bodyOf(draft: Draft) {
  return {
    slug: draft.slug.trim(),
    title: draft.title,
    description: draft.description,
    language_id: draft.language,
    time_zone_id: draft.zone,
    theme: { accent: draft.accent.trim() === '' ? null : draft.accent.trim() },
    access: draft.access,
    ...(draft.password === '' ? {} : { password: draft.password }),
    allowed_addresses: draft.addresses.split(/\s+/).filter((address) => address !== ''),
    publish_after_seconds: /^\d+$/.test(draft.delay) ? Number(draft.delay) : draft.delay,
    auto_publish: draft.autoPublish,
    shows_suspensions: draft.suspensions,
  }
}

/** Makes a page or changes one; null: a new one. */
export function PageForm({ page, closed }: { readonly page: ShownPage | null; readonly closed: () => void }) {
  const words = useWords(statusPageWords)
  const { account } = useReader()
  const mine = { language_id: account.language_id, time_zone_id: account.time_zone_id }
  const [draft, setDraft] = useState(() => draftOf(page ?? mine))
  const set = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  const path = page === null ? null : `/status_pages/${page.id}`
  return (
    <EditDialog
      title={page === null ? words.addPage : page.name}
      action={words.save}
      collection="/status_pages"
      secrets={['password']}
      editing={{ path, state: draft, set: setDraft, read: draftOf, body: bodyOf }}
      closed={closed}
    >
      <TextField
        label={words.pageTitle}
        name="title"
        value={draft.title}
        maxLength={200}
        set={(title) => set({ title })}
      />
      <TextField
        label={words.slug}
        name="slug"
        hint={words.slugHint}
        value={draft.slug}
        maxLength={60}
        set={(slug) => set({ slug })}
      />
      <LinesField
        label={words.description}
        name="description"
        rows={2}
        value={draft.description}
        set={(description) => set({ description })}
      />
      <Look draft={draft} set={set} />
      <Access draft={draft} set={set} />
      <TextField
        label={words.delay}
        name="publish_after_seconds"
        hint={words.delayHint}
        type="number"
        value={draft.delay}
        set={(delay) => set({ delay })}
      />
      <CheckField label={words.autoPublish} checked={draft.autoPublish} set={(autoPublish) => set({ autoPublish })} />
      <CheckField
        label={words.showSuspensions}
        checked={draft.suspensions}
        set={(suspensions) => set({ suspensions })}
      />
    </EditDialog>
  )
}

interface PartProps {
  readonly draft: Draft
  readonly set: (part: Partial<Draft>) => void
}

function Look({ draft, set }: PartProps) {
  const words = useWords(statusPageWords)
  const [languages, zones] = [useTerms('languages'), useTerms('time_zones')]
  const orPresent = (known: typeof languages, id: string) => (known.length === 0 ? [{ id, name: id }] : known)
  return (
    <>
      <ChoiceField
        label={words.language}
        name="language_id"
        value={draft.language}
        options={orPresent(languages, draft.language)}
        set={(language) => set({ language })}
      />
      <ChoiceField
        label={words.zone}
        name="time_zone_id"
        value={draft.zone}
        options={orPresent(zones, draft.zone)}
        set={(zone) => set({ zone })}
      />
      <TextField
        label={words.accent}
        name="theme.accent"
        hint={words.accentHint}
        value={draft.accent}
        maxLength={7}
        set={(accent) => set({ accent })}
      />
    </>
  )
}

function Access({ draft, set }: PartProps) {
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
