import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import type { Wallboard } from '../../api/answers.ts'
import { change } from '../../api/calls.ts'
import { readPage } from '../../api/client.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Loading } from '../../parts/loading.tsx'
import { ManagedMark } from '../../parts/managed.tsx'
import { Reason } from '../../parts/reason.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { readAgain } from '../../parts/use-change.ts'
import { useReader } from '../../reader.tsx'
import { showTitle } from '../../shell/favicon.ts'
import { useWords } from '../../words/words.ts'
import { type Asked, WallboardDialog } from './wallboard-dialog.tsx'
import { wallboardWords } from './words.ts'

const rowsOfPage = 50

export type ShownWallboard = Wallboard & { readonly permissions: Readonly<Record<string, boolean>> }

/** The way to the wallboard, and the links that show one without a login. */
export function WallboardsScreen() {
  const words = useWords(wallboardWords)
  const { account, format } = useReader()
  const [asked, setAsked] = useState<Asked | null>(null)
  const link = useLink()
  useEffect(() => showTitle(words.wallboards), [words])
  return (
    <div className="wallboards stack">
      <header className="spread">
        <h1>{words.wallboards}</h1>
        <Link href="/wallboard" className="button primary">
          <Icon name="wall" />
          {words.open}
        </Link>
      </header>
      <p className="dim">{words.about}</p>
      {link.data === undefined ? null : <FreshLink url={link.data.url} />}
      {link.error === null ? null : (
        <p className="problem" role="alert">
          <Reason error={link.error} />
        </p>
      )}
      <section className="card" aria-labelledby="links">
        <header>
          <div className="row">
            <h2 id="links">{words.links}</h2>
            <span className="hint">{format.zone}</span>
          </div>
          {account.is_read_only ? null : (
            <button type="button" className="button" onClick={() => setAsked({ kind: 'new' })}>
              <Icon name="add" />
              {words.add}
            </button>
          )}
        </header>
        <p className="inside hint">{words.linksHint}</p>
        <Links ask={setAsked} renew={link.mutate} forget={link.reset} />
      </section>
      {asked === null ? null : (
        <WallboardDialog
          asked={asked}
          close={(made) => {
            setAsked(null)
            if (made !== null) link.mutate(made)
          }}
        />
      )}
    </div>
  )
}

/** Makes the link of a wallboard; it is shown this once. */
function useLink() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => change('POST', `/wallboards/${id}/link`),
    onSettled: readAgain(client, { queryKey: ['wallboards'] }),
  })
}

function FreshLink({ url }: { readonly url: string }) {
  const words = useWords(wallboardWords)
  return (
    <div className="new-link" role="status">
      <label className="field">
        {words.link}
        <input readOnly value={url} onFocus={({ target }) => target.select()} />
        <span className="hint">{words.linkHint}</span>
      </label>
      <div className="row">
        <CopyButton text={url} label={words.copy} isLarge />
        <a href={url} target="_blank" rel="noreferrer" className="button plain">
          {words.open}
        </a>
      </div>
    </div>
  )
}

interface LinksProps {
  readonly ask: (asked: Asked) => void
  readonly renew: (id: number) => void
  /** The link on the screen holds no more. */
  readonly forget: () => void
}

function Links({ ask, renew, forget }: LinksProps) {
  const words = useWords(wallboardWords)
  const { data, error, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['wallboards'],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      readPage(`/wallboards?embed=permissions&sort=name&limit=${rowsOfPage}&offset=${pageParam}`, signal),
    getNextPageParam: ({ total }, pages) => (pages.length * rowsOfPage < total ? pages.length * rowsOfPage : undefined),
  })
  if (data === undefined)
    return (
      <div className="inside">
        {error === null ? <Loading what={words.links} /> : <Trouble error={error} again={() => void refetch()} />}
      </div>
    )
  const rows = data.pages.flatMap((page) => page.rows)
  if (rows.length === 0) return <p className="inside dim">{words.noLinks}</p>
  return (
    <>
      <ul className="links">
        {rows.map((row) => (
          <Row key={row.id} row={row} {...{ ask, renew, forget }} />
        ))}
      </ul>
      {hasNextPage ? (
        <button type="button" className="button plain" onClick={() => void fetchNextPage()}>
          …
        </button>
      ) : null}
    </>
  )
}

function Row({ row, ask, renew, forget }: LinksProps & { readonly row: ShownWallboard }) {
  const words = useWords(wallboardWords)
  const { format } = useReader()
  const client = useQueryClient()
  const { id, name, group_ids: groupIds, token_prefix: prefix, expires_at: ends, last_used_at: used } = row
  const revoke = async () => {
    await change('DELETE', `/wallboards/${id}/link`)
    forget()
    await client.invalidateQueries({ queryKey: ['wallboards'] })
  }
  const facts = [
    prefix === null ? words.noToken : words.token(prefix),
    groupIds === null ? words.everyGroup : words.groupsCount(groupIds.length),
    ...(row.shows_addresses ? [words.withAddresses] : []),
    ...(ends === null ? [] : [endText(ends)]),
    ...(prefix === null ? [] : [used === null ? words.unused : words.used(format.shortMoment(used))]),
  ]
  function endText(moment: string): string {
    const isOver = Date.parse(moment) <= Date.now()
    return isOver ? words.expired(format.shortMoment(moment)) : words.expires(format.shortMoment(moment))
  }
  const button = (text: string, label: string, act: () => void) => (
    <button type="button" className="button plain small" aria-label={label} onClick={act}>
      {text}
    </button>
  )
  return (
    <li>
      <span className="link-text">
        <b>{name}</b>
        <ManagedMark of={row} />
        <span className="hint">{facts.join(' · ')}</span>
      </span>
      {row.permissions['update'] === true ? (
        <span className="row">
          {button(words.renew, words.renewOf(name), () => renew(id))}
          {prefix === null ? null : button(words.revoke, words.revokeOf(name), () => void revoke())}
          {button(words.edit, words.editOf(name), () => ask({ kind: 'edit', wallboard: row }))}
          {button(words.remove, words.removeOf(name), () => {
            forget()
            ask({ kind: 'remove', wallboard: row })
          })}
        </span>
      ) : null}
    </li>
  )
}
