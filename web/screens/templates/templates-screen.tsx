import { type ReactNode, useEffect } from 'react'
import { Link } from 'wouter'
import { Icon } from '../../parts/icon.tsx'
import { Loading } from '../../parts/loading.tsx'
import { NotFound } from '../../parts/not-found.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { useReader } from '../../reader.tsx'
import { showTitle } from '../../shell/favicon.ts'
import { useWords } from '../../words/words.ts'
import { TemplateForm } from './template-form.tsx'
import { TemplateList } from './template-list.tsx'
import { useTemplates } from './template-queries.ts'
import { templatesWords } from './words.ts'

const listPath = '/notifications/templates'

/** @param asked what follows in the address bar: the id of one, or `new`; absent: the list */
export function TemplatesScreen({ asked }: { readonly asked?: string }) {
  const words = useWords(templatesWords)
  const { account } = useReader()
  const { data, error, refetch } = useTemplates()
  const one = data?.find(({ id }) => String(id) === asked)
  const title = asked === undefined ? words.title : asked === 'new' ? words.addTitle : (one?.name ?? words.title)
  useEffect(() => showTitle(title), [title])
  const back = asked === undefined ? { path: '/notifications', name: words.back } : undefined
  const head = (action: ReactNode = null) => (
    <>
      <p>
        <Link href={back?.path ?? listPath} className="back">
          <Icon name="left" />
          {back?.name ?? words.backToList}
        </Link>
      </p>
      <div className="spread">
        <div>
          <h1>{title}</h1>
          {asked === undefined ? <p className="dim">{words.about}</p> : null}
        </div>
        {action}
      </div>
    </>
  )
  if (data === undefined)
    return (
      <div className="templates stack">
        {head()}
        {error === null ? <Loading what={words.what} /> : <Trouble error={error} again={() => void refetch()} />}
      </div>
    )
  if (asked === undefined)
    return (
      <div className="templates stack">
        {head(
          account.is_read_only ? null : (
            <Link href={`${listPath}/new`} className="button primary">
              <Icon name="add" />
              {words.add}
            </Link>
          ),
        )}
        <TemplateList templates={data} />
      </div>
    )
  if (asked !== 'new' && one === undefined) return <NotFound />
  return (
    <div className="templates stack">
      {head()}
      <TemplateForm key={asked} template={one ?? null} done={listPath} />
    </div>
  )
}
