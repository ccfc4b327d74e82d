import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { callTo } from '../../api/calls.ts'
import { useChannels } from '../../parts/addresses/address-queries.ts'
import { CheckField, ChoiceField, LinesField, TextField } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { Problems } from '../../parts/problems.tsx'
import { useTerms } from '../../parts/terms.ts'
import { useChange } from '../../parts/use-change.ts'
import { useEditing } from '../../parts/use-editing.ts'
import { useReader } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { Preview, usePreview } from './template-preview.tsx'
import { collection, type ShownTemplate, useDefaultTemplate } from './template-queries.ts'
import { Variables } from './variables.tsx'
import { templatesWords } from './words.ts'

const longestSubject = 2000
const longestText = 10_000

interface Draft {
  readonly name: string
  readonly channelId: string
  readonly languageId: string
  /** Null: that of the usual wording. */
  readonly subject: string | null
  readonly body: string | null
  readonly isActive: boolean
}

function draftOf(template: Omit<ShownTemplate, 'permissions'>): Draft {
  const { name, subject, body, notification_channel_id: channelId, language_id: languageId } = template
  return { name, channelId, languageId, subject, body, isActive: template.is_active }
}

interface FormProps {
  /** Null: a new one. */
  readonly template: ShownTemplate | null
  /** Where the reader is taken when it is saved. */
  readonly done: string
}

/** Words messages, with the variables and the message beside it. */
export function TemplateForm({ template, done }: FormProps) {
  const words = useWords(templatesWords)
  const { account } = useReader()
  const [, go] = useLocation()
  const { data: channels = [] } = useChannels()
  const languages = useTerms('languages')
  const [first] = useState<Draft>(() =>
    template === null
      ? {
          ...{ name: '', channelId: 'email', languageId: account.language_id },
          ...{ subject: null, body: null, isActive: true },
        }
      : draftOf(template),
  )
  const [draft, setDraft] = useState(first)
  const set = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  const { data: usual } = useDefaultTemplate(draft.channelId, draft.languageId)
  const bodyOf = ({ name, channelId, languageId, subject, body, isActive }: Draft) => ({
    ...{ name, notification_channel_id: channelId, language_id: languageId },
    ...{ subject: subject ?? usual?.subject ?? '', body: body ?? usual?.body ?? '', is_active: isActive },
  })
  const sent = bodyOf(draft)
  const path = template === null ? null : (`${collection}/${template.id}` as const)
  const making = useChange()
  const { saving, send, resolvingFor, managed } = useEditing({
    path,
    state: draft,
    set: setDraft,
    read: draftOf,
    body: bodyOf,
  })
  const preview = usePreview(sent)
  const call = path === null ? callTo('POST', collection, sent) : callTo('PUT', path, sent)
  const leave = (settle: () => void) => {
    settle()
    go(done)
  }
  const { fields, insert } = useCaret((part, replace) => set({ [part]: replace(sent[part]) }))
  return (
    <div className="sheet">
      <section className="card">
        <Form
          className="inside stack"
          outcome={path === null ? making : saving}
          submit={(settle) => {
            if (path === null) making.mutate(call, { onSuccess: () => leave(settle) })
            else send(() => leave(settle))
          }}
          resolving={resolvingFor(leave)}
          managed={managed}
          call={call}
          action={words.save}
          look="primary"
          isUnsaved={JSON.stringify(draft) !== JSON.stringify(first)}
          more={
            <button type="button" className="button" onClick={() => go(done)}>
              {words.cancel}
            </button>
          }
        >
          <TextField label={words.name} name="name" value={draft.name} set={(name) => set({ name })} />
          <div className="pair">
            <ChoiceField
              label={words.channel}
              name="notification_channel_id"
              value={draft.channelId}
              options={channels.length === 0 ? [{ id: draft.channelId, name: draft.channelId }] : channels}
              set={(channelId) => set({ channelId })}
            />
            <ChoiceField
              label={words.language}
              name="language_id"
              value={draft.languageId}
              options={languages.length === 0 ? [{ id: draft.languageId, name: draft.languageId }] : languages}
              set={(languageId) => set({ languageId })}
            />
          </div>
          <Problems problems={preview.problems}>
            <div className="stack" ref={fields}>
              <TextField
                label={words.subject}
                name="subject"
                hint={words.subjectHint}
                maxLength={longestSubject}
                value={sent.subject}
                set={(subject) => set({ subject })}
              />
              <LinesField
                label={words.text}
                name="body"
                rows={14}
                maxLength={longestText}
                value={sent.body}
                set={(body) => set({ body })}
              />
            </div>
          </Problems>
          <div className="row">
            <button type="button" className="button small" onClick={() => set({ subject: null, body: null })}>
              {words.startAgain}
            </button>
          </div>
          <Variables insert={insert} />
          <CheckField label={words.isActive} checked={draft.isActive} set={(isActive) => set({ isActive })} />
        </Form>
      </section>
      <Preview {...preview} />
    </div>
  )
}

/** Puts texts where somebody typed last; at the end of the text when nobody did. */
function useCaret(change: (part: 'subject' | 'body', replace: (before: string) => string) => void) {
  const typed = useRef<HTMLInputElement | HTMLTextAreaElement | null>(null)
  const fields = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const within = fields.current
    const keep = ({ target }: FocusEvent) => {
      if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) typed.current = target
    }
    within?.addEventListener('focusin', keep)
    return () => within?.removeEventListener('focusin', keep)
  }, [])
  const insert = (text: string) => {
    const field = typed.current
    // A field that lost the focus still knows its selection.
    const [from, to] = [field?.selectionStart ?? longestText, field?.selectionEnd ?? longestText]
    const part = field instanceof HTMLInputElement ? 'subject' : 'body'
    change(part, (before) => before.slice(0, from) + text + before.slice(to))
    requestAnimationFrame(() => field?.setSelectionRange(from + text.length, from + text.length))
  }
  return { fields, insert }
}
