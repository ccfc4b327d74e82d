import { useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { callTo } from '../../api/calls.ts'
import { Loading } from '../../parts/loading.tsx'
import { Things } from '../../parts/things.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { useChange } from '../../parts/use-change.ts'
import { showTitle } from '../../shell/favicon.ts'
import { useWords } from '../../words/words.ts'
import { pageAddress } from './page-address.ts'
import { PageForm } from './page-form.tsx'
import { type ShownPage, usePages } from './queries.ts'
import { statusPageWords } from './words.ts'
import '../../parts/on-call/on-call.css'

/** The status pages of the account, with the form of a new one if it is wanted. */
export function StatusPagesScreen({ isAdding = false }: { readonly isAdding?: boolean }) {
  const words = useWords(statusPageWords)
  const [, go] = useLocation()
  const pages = usePages()
  const [link, setLink] = useState<string | null>(null)
  useEffect(() => showTitle(words.title), [words])
  if (pages.data === undefined) {
    return pages.error === null ? (
      <Loading what={words.what} />
    ) : (
      <Trouble error={pages.error} again={() => void pages.refetch()} />
    )
  }
  return (
    <div className="on-call stack">
      <div>
        <h1>{words.title}</h1>
        <p className="dim">{words.about}</p>
      </div>
      {link === null ? null : (
        <label className="field" role="status">
          {words.link}
          <input readOnly value={link} onFocus={({ target }) => target.select()} />
          <span className="hint">{words.linkHint}</span>
        </label>
      )}
      <Things
        id="pages"
        title={words.pages}
        add={words.addPage}
        collection="/status_pages"
        things={pages.data}
        empty={
          <>
            <b>{words.noPages}</b>
            <p>{words.noPagesText}</p>
          </>
        }
        show={(page) => <Shown page={page} />}
        more={(page) => <NewLink page={page} made={setLink} />}
        isAdding={isAdding}
        form={(page, closed) => (
          <PageForm
            page={page}
            closed={() => {
              closed()
              if (isAdding) go('/status-pages', { replace: true })
            }}
          />
        )}
        removeText={words.removePage}
      />
    </div>
  )
}

function Shown({ page }: { readonly page: ShownPage }) {
  const words = useWords(statusPageWords)
  return (
    <>
      <b>{page.name}</b>
      <span className="dim">
        /status/{page.slug} · {words.accesses[page.access]}
      </span>
      <div className="row">
        <Link href={`/status-pages/${page.id}`} aria-label={words.arrangeNamed(page.name)}>
          {words.arrange}
        </Link>
        <a href={pageAddress(page)} target="_blank" rel="noreferrer" aria-label={words.openNamed(page.name)}>
          {words.open}
        </a>
      </div>
    </>
  )
}

/** Makes the secret link of a page with access by link. */
function NewLink({ page, made }: { readonly page: ShownPage; readonly made: (url: string) => void }) {
  const words = useWords(statusPageWords)
  const changing = useChange<{ readonly url: string }>()
  if (page.access !== 'link' || page.permissions['update'] !== true) return null
  const make = () =>
    changing.mutate(callTo('POST', `/status_pages/${page.id}/link`), {
      onSuccess: (answer) => made(answer.url),
    })
  return (
    <button type="button" className="button small" aria-label={words.newLinkNamed(page.name)} onClick={make}>
      {words.newLink}
    </button>
  )
}
