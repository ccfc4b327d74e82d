import type { ResponseHead } from './received.ts'

/** All values of a header, in order. */
export function headerValues({ headers }: ResponseHead, wanted: string): readonly string[] {
  const values: string[] = []
  for (let index = 0; index + 1 < headers.length; index += 2) {
    const name = headers[index] ?? ''
    if (name.length === wanted.length && name.toLowerCase() === wanted) values.push(headers[index + 1] ?? '')
  }
  return values
}

export function headerValue(head: ResponseHead, wanted: string): string | null {
  const values = headerValues(head, wanted)
  return values.length === 0 ? null : values.join(', ')
}

export interface Header {
  readonly name: string
  readonly value: string
}

const telling = new Set(['cookie', 'set-cookie', 'authorization', 'proxy-authorization'])

/** Readers must not see cookies and credentials: the cookie of a login is as good as the login. */
export function shownHeader<T extends Header>(header: T): T {
  return telling.has(header.name.toLowerCase()) ? { ...header, value: '***' } : header
}

/** The head as it was on the wire, for readers. */
export function headText({ httpVersion, status, reason, headers }: ResponseHead): string {
  const lines = [`HTTP/${httpVersion} ${status} ${reason}`.trimEnd()]
  for (let index = 0; index + 1 < headers.length; index += 2) {
    const { name, value } = shownHeader({ name: headers[index] ?? '', value: headers[index + 1] ?? '' })
    lines.push(`${name}: ${value}`)
  }
  return lines.join('\n')
}

/** The file name that a browser would give the page. */
export function fileNameOf(head: ResponseHead, url: URL, hide: (text: string) => string): string {
  const named = /filename="?([^";]+)"?/i.exec(hide(headerValue(head, 'content-disposition') ?? ''))?.[1]
  const last = named ?? hide(url.pathname).split('/').at(-1) ?? ''
  const safe = last.replace(/[^\p{L}\p{N}._ -]/gu, '_').slice(-100)
  return safe === '' ? 'index.html' : safe
}
