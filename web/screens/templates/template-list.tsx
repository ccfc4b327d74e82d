import { useState } from 'react'
import { Link } from 'wouter'
import { callTo } from '../../api/calls.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Icon } from '../../parts/icon.tsx'
import { ManagedMark } from '../../parts/managed.tsx'
import { useWords } from '../../words/words.ts'
import { collection, type ShownTemplate, useDefaultTemplate, useNamesOf } from './template-queries.ts'
import { templatesWords } from './words.ts'

export function TemplateList({ templates }: { readonly templates: readonly ShownTemplate[] }) {
  const words = useWords(templatesWords)
  if (templates.length === 0)
    return (
      <div className="empty">
        <h2>{words.none}</h2>
        <p>{words.noneText}</p>
      </div>
    )
  return (
    <section className="card" aria-label={words.what}>
      <ul>
        {templates.map((template) => (
          <li key={template.id}>
            <Row template={template} />
          </li>
        ))}
      </ul>
    </section>
  )
}

type Asked = 'none' | 'use' | 'default' | 'remove'

function Row({ template }: { readonly template: ShownTemplate }) {
  const words = useWords(templatesWords)
  const names = useNamesOf(template)
  const [asked, setAsked] = useState<Asked>('none')
  const { id, name, permissions, is_active: isActive } = template
  return (
    <>
      <div className="what">
        <b>{name}</b>
        <ManagedMark of={template} />
        <span className="dim">
          {names.channel}, {names.language}
        </span>
        <span className={isActive ? 'used' : 'dim'}>
          {isActive ? <Icon name="ok" /> : null} {isActive ? words.active : words.inactive}
        </span>
      </div>
      <div className="row">
        {permissions.update ? (
          <>
            <Link href={`/notifications/templates/${id}`} className="button small" aria-label={words.editNamed(name)}>
              {words.edit}
            </Link>
            <button
              type="button"
              className="button small"
              aria-label={isActive ? words.toDefaultNamed(name) : words.activateNamed(name)}
              onClick={() => setAsked(isActive ? 'default' : 'use')}
            >
              {isActive ? words.toDefault : words.activate}
            </button>
          </>
        ) : null}
        {permissions.delete ? (
          <button
            type="button"
            className="button small"
            aria-label={words.removeNamed(name)}
            onClick={() => setAsked('remove')}
          >
            {words.remove}
          </button>
        ) : null}
      </div>
      {asked === 'none' ? null : <Ask template={template} asked={asked} closed={() => setAsked('none')} />}
    </>
  )
}

interface AskProps {
  readonly template: ShownTemplate
  readonly asked: Exclude<Asked, 'none'>
  readonly closed: () => void
}

/** Explains the button's effect before it happens. */
function Ask({ template, asked, closed }: AskProps) {
  const words = useWords(templatesWords)
  const names = useNamesOf(template)
  const path = `${collection}/${template.id}` as const
  if (asked === 'remove')
    return (
      <FormDialog
        title={words.removeTitle(template.name)}
        action={words.remove}
        isDangerous
        managed={template}
        request={() => callTo('DELETE', path)}
        closed={closed}
      >
        <p>{words.removeText}</p>
      </FormDialog>
    )
  const isUse = asked === 'use'
  return (
    <FormDialog
      title={isUse ? words.activateTitle(template.name) : words.toDefaultTitle}
      action={isUse ? words.activate : words.toDefault}
      managed={template}
      request={() => callTo('PUT', path, { is_active: isUse })}
      closed={closed}
    >
      <p>{isUse ? words.activateText(names.channel, names.language) : words.toDefaultText}</p>
      {isUse ? null : <Usual template={template} />}
    </FormDialog>
  )
}

function Usual({ template }: { readonly template: ShownTemplate }) {
  const words = useWords(templatesWords)
  const { data } = useDefaultTemplate(template.notification_channel_id, template.language_id)
  if (data === undefined) return null
  return (
    <>
      <textarea readOnly className="source" rows={3} aria-label={words.subject} value={data.subject} />
      <textarea readOnly className="source" rows={8} aria-label={words.text} value={data.body} />
    </>
  )
}
