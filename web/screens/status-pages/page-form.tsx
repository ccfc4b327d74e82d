import { useState } from 'react'
import type { StatusPage } from '../../api/answers.ts'
import { callTo } from '../../api/calls.ts'
import { EditDialog } from '../../parts/edit-dialog.tsx'
import { CheckField, ChoiceField, LinesField, TextField } from '../../parts/fields.tsx'
import { useTerms } from '../../parts/terms.ts'
import { useReader } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { AccessFields } from './access-fields.tsx'
import { HostField } from './host-field.tsx'
import { LookFields, type Theme } from './look-fields.tsx'
import { bodyOf, draftOf, type PageDraft, previewOf } from './page-draft.ts'
import { PagePreview, usePagePreview } from './preview.tsx'
import type { ShownPage } from './queries.ts'
import { proposedSlug } from './slug.ts'
import { statusPageWords } from './words.ts'

/** Makes a page or changes one, and shows it meanwhile; null: a new one. */
export function PageForm({ page, closed }: { readonly page: ShownPage | null; readonly closed: () => void }) {
  const words = useWords(statusPageWords)
  const { account } = useReader()
  const mine: Partial<StatusPage> = { language_id: account.language_id, time_zone_id: account.time_zone_id }
  const [draft, setDraft] = useState(() => draftOf(page ?? mine))
  const set = (part: Partial<PageDraft>) => setDraft((before) => ({ ...before, ...part }))
  const setTheme = (part: Partial<Theme>) => setDraft((before) => ({ ...before, theme: { ...before.theme, ...part } }))
  const preview = usePagePreview(previewOf(draft, page?.id ?? null))
  const path = page === null ? null : (`/status_pages/${page.id}` as const)
  return (
    <EditDialog
      title={page === null ? words.addPage : words.changePageNamed(page.name)}
      action={words.save}
      className="page-dialog"
      making={callTo('POST', '/status_pages', bodyOf(draft))}
      secrets={['password']}
      editing={{ path, state: draft, set: setDraft, read: draftOf, body: bodyOf }}
      closed={closed}
    >
      <div className="page-edit">
        <div className="stack">
          <Names draft={draft} set={set} isNew={page === null} />
          <h3>{words.look}</h3>
          <LookFields theme={draft.theme} set={setTheme} preview={preview} />
          <h3>{words.visitors}</h3>
          <AccessFields draft={draft} set={set} />
          <HostField host={draft.host} page={page} set={(host) => set({ host })} />
          <h3>{words.behaviour}</h3>
          <Behaviour draft={draft} set={set} />
        </div>
        <PagePreview id="page-preview" preview={preview} />
      </div>
    </EditDialog>
  )
}

interface PartProps {
  readonly draft: PageDraft
  readonly set: (part: Partial<PageDraft>) => void
}

/** The address of a new page follows its title until somebody writes another one. */
function withTitle({ title: before, slug }: PageDraft, title: string, isNew: boolean): Partial<PageDraft> {
  return isNew && slug === proposedSlug(before) ? { title, slug: proposedSlug(title) } : { title }
}

function Names({ draft, set, isNew }: PartProps & { readonly isNew: boolean }) {
  const words = useWords(statusPageWords)
  const [languages, zones] = [useTerms('languages'), useTerms('time_zones')]
  const orPresent = (known: typeof languages, id: string) => (known.length === 0 ? [{ id, name: id }] : known)
  return (
    <>
      <TextField
        label={words.pageTitle}
        name="title"
        value={draft.title}
        maxLength={200}
        set={(title) => set(withTitle(draft, title, isNew))}
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
    </>
  )
}

function Behaviour({ draft, set }: PartProps) {
  const words = useWords(statusPageWords)
  return (
    <>
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
      <CheckField
        label={words.showWeeklySuspensions}
        checked={draft.weeklySuspensions}
        set={(weeklySuspensions) => set({ weeklySuspensions })}
      />
    </>
  )
}
