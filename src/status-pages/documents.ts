import { createHash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { atom, calendar, markdown, rss } from './feeds.ts'
import { logoName, logoNamed, logoPolicy, logosOf } from './logos.ts'
import { pageHtml } from './page-html.ts'
import { apiDocument, apiDocuments } from './read-api.ts'
import { policyOf } from './shell.ts'
import type { Snapshot } from './snapshot.ts'

/** A document in every encoding, ready to be sent. */
export interface Ready {
  readonly type: string
  readonly plain: Buffer
  readonly br: Buffer
  readonly gzip: Buffer
  /** Without quotes. */
  readonly tag: string
  /** Null: that of the page. */
  readonly policy: string | null
}

/** Everything that is served of one page. Documents are made when they are first asked for. */
export interface Documents {
  readonly snapshot: Snapshot
  readonly policy: string
  /** The address of the page, without a slash at its end. */
  readonly url: string
  /** Undefined: there is no such document. `isStale` matters to the page alone. */
  get(name: string, isStale?: boolean): Ready | undefined
}

const types = {
  html: 'text/html; charset=utf-8',
  markdown: 'text/markdown; charset=utf-8',
  json: 'application/json',
  rss: 'application/rss+xml; charset=utf-8',
  atom: 'application/atom+xml; charset=utf-8',
  calendar: 'text/calendar; charset=utf-8',
} as const

type Make = (snapshot: Snapshot, url: string) => string

const makers: Readonly<Record<string, readonly [type: string, make: Make]>> = {
  '': [types.html, (snapshot, url) => pageHtml(snapshot, url, false)],
  stale: [types.html, (snapshot, url) => pageHtml(snapshot, url, true)],
  markdown: [types.markdown, markdown],
  'history.rss': [types.rss, rss],
  'history.atom': [types.atom, atom],
  'maintenance.ics': [types.calendar, calendar],
  ...Object.fromEntries(
    apiDocuments.map((name) => [
      `api/v2/${name}.json`,
      [types.json, (snapshot: Snapshot, url: string) => apiDocument(name, snapshot, url)] as const,
    ]),
  ),
}

/** The documents that files can hold: their names are their paths. */
export function fileNames(snapshot: Snapshot): readonly string[] {
  return [...Object.keys(makers).filter((name) => name.includes('.')), ...logosOf(snapshot).map(logoName)]
}

/** Once for many visitors, so that a little more work pays. */
const quality = 6

function ready(type: string, plain: Buffer): Ready {
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: plain.byteLength }
  return {
    ...{ type, plain },
    br: brotliCompressSync(plain, { params }),
    gzip: gzipSync(plain),
    tag: createHash('sha1').update(plain).digest('base64url'),
    policy: null,
  }
}

/** Where visitors find the page: at a host of its own, or below the address of the installation. */
function pageUrl({ host, slug }: Snapshot['page'], publicUrl: string): string {
  return host === null ? `${publicUrl}/status/${slug}` : `${new URL(publicUrl).protocol}//${host}`
}

/** @param last of the same page; what has not changed is not compressed again */
export function documentsOf(snapshot: Snapshot, publicUrl: string, last: Documents | undefined): Documents {
  const made = new Map<string, Ready>()
  const url = pageUrl(snapshot.page, publicUrl)
  const documents: Documents = {
    ...{ snapshot, url, policy: policyOf(snapshot.page.theme.accent ?? null, logosOf(snapshot).length > 0) },
    get(asked, isStale = false) {
      const name = asked === '' && isStale ? 'stale' : asked
      const known = made.get(name)
      if (known !== undefined) return known
      const logo = logoNamed(name, snapshot)
      if (logo !== undefined) {
        const shown = previous?.get(name) ?? { ...ready(logo.content_type, logo.content), policy: logoPolicy }
        made.set(name, shown)
        return shown
      }
      const maker = Object.hasOwn(makers, name) ? makers[name] : undefined
      if (maker === undefined) return undefined
      const [type, make] = maker
      const plain = Buffer.from(make(snapshot, url))
      const before = previous?.get(name)
      const fresh = before?.plain.equals(plain) === true ? before : ready(type, plain)
      made.set(name, fresh)
      return fresh
    },
  }
  // Only what the last one made already, and never a chain of all that came before.
  const previous = last === undefined ? undefined : madeBy.get(last)
  madeBy.set(documents, made)
  return documents
}

const madeBy = new WeakMap<Documents, ReadonlyMap<string, Ready>>()
