import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { BadgeCode } from '../../parts/badge/badge-code.tsx'
import { Loading } from '../../parts/loading.tsx'
import { ManagedMark } from '../../parts/managed.tsx'
import { NotFound } from '../../parts/not-found.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { showTitle } from '../../shell/favicon.ts'
import { useWords } from '../../words/words.ts'
import { Components } from './components.tsx'
import { HostCard } from './host-card.tsx'
import { IncidentTemplates } from './incident-templates.tsx'
import { Incidents } from './incidents.tsx'
import { pageAddress, useFreshPage } from './page-address.ts'
import { PageForm } from './page-form.tsx'
import { PagePreview, usePagePreview } from './preview.tsx'
import { type ShownPage, useComponents, useIncidents, useIncidentTemplates, usePages } from './queries.ts'
import { Subscribers } from './subscribers.tsx'
import { statusPageWords } from './words.ts'
import '../../parts/on-call/on-call.css'

/** The picture of a public page for other sites. */
function Banner({ page }: { readonly page: ShownPage }) {
  const words = useWords(statusPageWords)
  if (page.access !== 'public') return null
  return (
    <section className="card" aria-labelledby="banner">
      <header>
        <h2 id="banner">{words.banner}</h2>
      </header>
      <div className="inside stack">
        <p className="dim">{words.bannerAbout}</p>
        <BadgeCode
          picture={`${pageAddress(page)}/banner.svg`}
          version={page.updated_at}
          link={pageAddress(page)}
          alt={words.bannerAlt(page.name)}
          frame={{ path: `${pageAddress(page)}/banner.html`, width: 360, height: 48 }}
        />
      </div>
    </section>
  )
}

/** The page as visitors see it now. */
function Now({ page }: { readonly page: ShownPage }) {
  const preview = usePagePreview({ status_page_id: page.id })
  useFreshPage(page)
  return (
    <div className="card">
      <div className="inside">
        <PagePreview id="page-now" preview={preview} />
      </div>
    </div>
  )
}

/** Opens the form of the page. */
function ChangePage({ page }: { readonly page: ShownPage }) {
  const words = useWords(statusPageWords)
  const [isOpen, setOpen] = useState(false)
  if (page.permissions['update'] !== true) return null
  return (
    <>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        {words.changePage}
      </button>
      {isOpen ? <PageForm page={page} closed={() => setOpen(false)} /> : null}
    </>
  )
}

/** The components and incidents of one page. */
export function StatusPageScreen({ id }: { readonly id: number }) {
  const words = useWords(statusPageWords)
  const [pages, components, incidents] = [usePages(), useComponents(id), useIncidents(id)]
  const templates = useIncidentTemplates(id)
  const page = pages.data?.find((one) => one.id === id)
  const name = page?.name
  useEffect(() => showTitle(name ?? words.title), [name, words])
  const all = [pages, components, incidents, templates]
  const error = all.find((one) => one.error !== null)?.error ?? null
  if (
    pages.data === undefined ||
    components.data === undefined ||
    incidents.data === undefined ||
    templates.data === undefined
  ) {
    return error === null ? (
      <Loading what={words.what} />
    ) : (
      <Trouble error={error} again={() => void Promise.all(all.map((one) => one.refetch()))} />
    )
  }
  if (page === undefined) return <NotFound />
  return (
    <div className="on-call stack">
      <header className="spread">
        <div>
          <h1>{page.name}</h1>
          <Link href="/status-pages">{words.back}</Link> <ManagedMark of={page} />
        </div>
        <div className="row">
          <ChangePage page={page} />
          <a href={pageAddress(page)} target="_blank" rel="noreferrer" className="button primary">
            {words.open}
          </a>
        </div>
      </header>
      <HostCard page={page} />
      <Components page={page} components={components.data} />
      <Incidents page={page} incidents={incidents.data} components={components.data} templates={templates.data} />
      <IncidentTemplates pageId={id} templates={templates.data} components={components.data} />
      <Now page={page} />
      <Banner page={page} />
      <Subscribers pageId={id} components={components.data} />
    </div>
  )
}
