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
}

interface Har {
  log: { entries: Entry[]; pages?: unknown[] }
}

const telling = new Set(['cookie', 'set-cookie', 'authorization', 'proxy-authorization'])
const cover = '***'
const mostEntries = 1000
const longestUrl = 2000

/**
 * The archive as it may be shown: without cookies, credentials and sent content, addresses of a sensible length, not endless.
 * Null when it is none: the browser was ended before it was complete.
 */
export function presentableHar(text: string, secrets: readonly string[]): string | null {
  const har = parse(text)
  if (har === null) return null
  har.log.entries = har.log.entries.slice(0, mostEntries)
  for (const { request, response } of har.log.entries) {
    strip(request)
    strip(response)
    delete request.postData
    if (request.url !== undefined && request.url.length > longestUrl)
      request.url = `${request.url.slice(0, longestUrl)}…`
  }
  return hideSecrets(JSON.stringify(har), secrets)
}

function strip(message: Message): void {
  message.cookies = []
  for (const header of message.headers) {
    if (telling.has(header.name.toLowerCase())) header.value = cover
  }
}

function parse(text: string): Har | null {
  try {
    const har: Har = JSON.parse(text)
    return Array.isArray(har.log.entries) ? har : null
  } catch {
    return null
  }
}
