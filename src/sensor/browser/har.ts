import { hideSecrets } from './hide-secrets.ts'

/** The parts of HAR 1.2 that are touched here; the rest passes as the browser's driver wrote it. */
interface Header {
  name: string
  value: string
}

interface Message {
  url?: string
  cookies: unknown[]
  headers: Header[]
  postData?: unknown
}

interface Entry {
  request: Message
  response: Message
  serverIPAddress?: string
}

interface Har {
  log: { entries: Entry[]; pages?: unknown[] }
}

const telling = new Set(['cookie', 'set-cookie', 'authorization', 'proxy-authorization'])
const cover = '***'
const mostEntries = 1000
const longestUrl = 2000

export interface HarView {
  readonly secrets: readonly string[]
  /** The address that was dialled for the URL; null when none was. */
  readonly ipOf: (url: string) => string | null
}

/**
 * The archive as it may be shown: without cookies, credentials and sent content, addresses of a sensible length, not endless.
 * Null when it is none: the browser was ended before it was complete.
 */
export function presentableHar(text: string, { secrets, ipOf }: HarView): string | null {
  const har = parse(text)
  if (har === null) return null
  har.log.entries = har.log.entries.slice(0, mostEntries)
  for (const entry of har.log.entries) {
    const { request, response } = entry
    const ip = ipOf(request.url ?? '')
    // The driver saw only our proxy.
    if (ip === null) delete entry.serverIPAddress
    else entry.serverIPAddress = ip
    strip(request)
    strip(response)
    delete request.postData
    if (request.url !== undefined && request.url.length > longestUrl)
      request.url = `${request.url.slice(0, longestUrl)}…`
  }
  return hideSecrets(JSON.stringify(har, withoutOwnFields), secrets)
}

/** Fields of the driver's own that tell nothing: the proxy's port, its names of frames, empty objects. */
const ownFields = new Set(['_serverPort', '_frameref', '_monotonicTime', '_securityDetails', '_apiRequest'])

function withoutOwnFields(key: string, value: unknown): unknown {
  return ownFields.has(key) ? undefined : value
}

function strip(message: Message): void {
  message.cookies = []
  message.headers = message.headers.map(shownHeader)
}

/** Cookies and credentials are not for those who only look. */
export function shownHeader<T extends Header>(header: T): T {
  return telling.has(header.name.toLowerCase()) ? { ...header, value: cover } : header
}

function parse(text: string): Har | null {
  try {
    const har: Har = JSON.parse(text)
    return Array.isArray(har.log.entries) ? har : null
  } catch {
    return null
  }
}
