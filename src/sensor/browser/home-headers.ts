import type { CDPSession } from 'playwright-core'
import { basicAuthorization } from '../http/request.ts'
import type { VisitOptions } from './visit.ts'

type Wanted = Pick<VisitOptions, 'url' | 'headers' | 'credentials'>
type HeaderEntry = { name: string; value: string }

/**
 * Sends the user's headers and credentials to the service's host and to no other, even along redirects. The driver's
 * own settings would send them to every host that the page mentions.
 */
export async function sendHeaders(session: CDPSession, wanted: Wanted): Promise<void> {
  const added = addedHeaders(wanted)
  if (added.length === 0) return
  const names = new Set(added.map(({ name }) => name.toLowerCase()))
  session.on('Fetch.requestPaused', ({ requestId, request }) => {
    const others = Object.entries(request.headers)
      .filter(([name]) => !names.has(name.toLowerCase()))
      .map(([name, value]) => ({ name, value: String(value) }))
    const headers = isHome(request.url, wanted.url) ? [...others, ...added] : others
    // The request disappeared with its page; a request that is stuck for another reason ends with the check's own
    // timeout.
    session.send('Fetch.continueRequest', { requestId, headers }).catch(() => {})
  })
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] })
}

function addedHeaders({ headers, credentials }: Wanted): HeaderEntry[] {
  const given = headers.map(([name, value]) => ({ name, value }))
  if (credentials === null || given.some(({ name }) => name.toLowerCase() === 'authorization')) return given
  return [...given, { name: 'Authorization', value: basicAuthorization(credentials) }]
}

/** The same host, and never from https to http. */
function isHome(url: string, home: URL): boolean {
  if (!URL.canParse(url)) return false
  const { host, protocol } = new URL(url)
  return host === home.host && protocol === home.protocol
}
