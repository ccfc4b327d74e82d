import { pageUrl } from '../domain/status-pages/page-host.ts'
import { bannerHtml, bannerPicture, bannerPolicy } from './banner.ts'
import { copiedEdition, type Edition, servedEdition } from './edition.ts'
import { atom, calendar, rss } from './feeds.ts'
import { historyHtml, incidentNamed, incidentPage } from './history-html.ts'
import { incidentName } from './incident-html.ts'
import { logoFiles, logoNamed, logoPolicy, logosOf } from './logos.ts'
import { markdown } from './markdown.ts'
import { pageHtml } from './page-html.ts'
import { apiDocument, apiDocuments } from './read-api.ts'
import { Ready, tagOf } from './ready.ts'
import { policyOf } from './shell.ts'
import { type Snapshot, snapshotBytes } from './snapshot.ts'

/** Everything that is served of one page. Documents are made when they are first asked for. */
export interface Documents {
  readonly snapshot: Snapshot
  readonly policy: string
  /** The address of the page, without a slash at its end. */
  readonly url: string
  /** Memory that all of it takes, about. */
  readonly bytes: number
  /** At once if it is made. Undefined: there is no such document. Only those of people differ by edition. */
  get(name: string, edition?: EditionName): Ready | Promise<Ready> | undefined
}

/** As it is served, as it is served while it cannot be updated, and as a file of a copy. */
export type EditionName = 'live' | 'stale' | 'copy'

const types = {
  html: 'text/html; charset=utf-8',
  markdown: 'text/markdown; charset=utf-8',
  json: 'application/json',
  rss: 'application/rss+xml; charset=utf-8',
  atom: 'application/atom+xml; charset=utf-8',
  calendar: 'text/calendar; charset=utf-8',
} as const

type Make = (snapshot: Snapshot, url: string) => string | Buffer | Promise<string>

/** How a document is made; with a policy of its own, if it is no part of the page. */
type Maker = readonly [type: string, make: Make, policy?: (snapshot: Snapshot) => string]

const makers: Readonly<Record<string, Maker>> = {
  markdown: [types.markdown, markdown],
  'history.rss': [types.rss, rss],
  'history.atom': [types.atom, atom],
  'maintenance.ics': [types.calendar, calendar],
  'banner.svg': ['image/svg+xml', bannerPicture, () => "default-src 'none'"],
  'banner.html': [types.html, bannerHtml, bannerPolicy],
  ...Object.fromEntries(
    apiDocuments.map((name) => [
      `api/v2/${name}.json`,
      [types.json, (snapshot: Snapshot, url: string) => apiDocument(name, snapshot, url)] as const,
    ]),
  ),
}

/** The documents that files can hold: their names are their paths. */
export function fileNames(snapshot: Snapshot): readonly string[] {
  return [
    ...Object.keys(makers).filter((name) => name.includes('.')),
    ...logoFiles(snapshot),
    ...[...snapshot.incidents, ...snapshot.maintenances].map(incidentName),
    'history.html',
  ]
}

type MakeForPeople = (snapshot: Snapshot, edition: Edition) => Promise<string>

/** How a document for people is made: the page itself has no name. */
function makeForPeople(name: string, snapshot: Snapshot): MakeForPeople | undefined {
  if (name === '') return pageHtml
  if (name === 'history.html') return historyHtml
  const incident = incidentNamed(name, snapshot)
  return incident === undefined ? undefined : (_snapshot, edition) => incidentPage(incident, snapshot, edition)
}

function editionOf(name: string, edition: EditionName, url: string): Edition {
  if (edition === 'copy') return copiedEdition(url, name)
  return servedEdition(url, edition === 'stale' ? 'as_of' : null)
}

function makerOf(name: string, edition: EditionName, snapshot: Snapshot): Maker | undefined {
  const logo = logoNamed(name, snapshot)
  if (logo !== undefined) return [logo.content_type, () => logo.content, () => logoPolicy]
  const forPeople = makeForPeople(name, snapshot)
  if (forPeople !== undefined)
    return [types.html, (_snapshot, url) => forPeople(snapshot, editionOf(name, edition, url))]
  return Object.hasOwn(makers, name) ? makers[name] : undefined
}

/** @param last of the same page; what has not changed is not compressed again */
export function documentsOf(snapshot: Snapshot, publicUrl: string, last: Documents | undefined): Documents {
  const made = new Map<string, Ready>()
  const making = new Map<string, Promise<Ready>>()
  const url = pageUrl(snapshot.page, publicUrl)
  const ownBytes = snapshotBytes(snapshot)
  const make = async (name: string, [type, maker, own]: Maker): Promise<Ready> => {
    const policy = own?.(snapshot) ?? null
    const content = await maker(snapshot, url)
    const plain = typeof content === 'string' ? Buffer.from(content) : content
    const before = previous?.get(name)
    const isSame = before?.plain.equals(plain) === true && before.type === type && before.policy === policy
    const fresh = isSame ? before : new Ready({ type, plain, policy, tag: await tagOf(plain) })
    made.set(name, fresh)
    return fresh
  }
  const documents: Documents = {
    ...{ snapshot, url, policy: policyOf(snapshot.page.theme.accent ?? null, logosOf(snapshot).length > 0) },
    get bytes() {
      return [...made.values()].reduce((sum, { bytes }) => sum + bytes, ownBytes)
    },
    get(name, edition = 'live') {
      const isSame = edition === 'live' || makeForPeople(name, snapshot) === undefined
      const key = isSame ? name : `${edition} ${name}`
      const known = made.get(key) ?? making.get(key)
      if (known !== undefined) return known
      const maker = makerOf(name, edition, snapshot)
      if (maker === undefined) return undefined
      const running = make(key, maker).finally(() => making.delete(key))
      making.set(key, running)
      return running
    },
  }
  // Only what the last one made already, and never a chain of all that came before.
  const previous = last === undefined ? undefined : madeBy.get(last)
  madeBy.set(documents, made)
  return documents
}

const madeBy = new WeakMap<Documents, ReadonlyMap<string, Ready>>()
