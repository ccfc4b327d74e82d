import type { Draft } from './draft.ts'
import { joined, type Written } from './written.ts'

/** The parts of a URL that a service has elsewhere. */
export interface WebTarget {
  /** `http`, `https`, `ws`, `tcp` … */
  readonly scheme: string
  /** Without the scheme, the login and the fragment. */
  readonly address: string
  readonly username: string | null
  readonly password: string | null
}

/** `https://anna:secret@example.com/a?b#c`; null for a text without a scheme. */
export function readTarget(url: string): WebTarget | null {
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is.exec(url.trim()) ?? []
  if (scheme === '') return null
  const [authority = ''] = /^[^/?#]*/.exec(rest) ?? []
  const at = authority.lastIndexOf('@')
  const [, username = '', password = ''] = /^([^:]*):?(.*)$/s.exec(at < 0 ? '' : authority.slice(0, at)) ?? []
  return {
    scheme: scheme.toLowerCase(),
    address: rest.slice(at + 1).replace(/#.*$/s, ''),
    username: username === '' ? null : decoded(username),
    password: password === '' ? null : decoded(password),
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** An IPv6 address in brackets, as an address with a port needs it. */
export function hostPort(host: string, port: number | null): string {
  const bare = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  return port === null ? bare : `${bare}:${port}`
}

/** Headers whose value only its owner should know. */
const secretHeader = /auth|cookie|token|secret|key|password|session|credential/i

export type Login = {
  readonly bearer_token?: Written
  readonly username?: string
  readonly password?: Written
  readonly request_headers?: string | Written
}

/** The name of a header and its value; a value that is `Written` is a secret already. */
export type HeaderLine = readonly [name: string, value: string | Written]

/** Headers of a request: a login becomes settings of its own, other secrets become variables. */
export function headerSettings(draft: Draft, name: string, headers: readonly HeaderLine[]): Login {
  let login: Login = {}
  const lines: (string | Written)[][] = []
  for (const [header, value] of headers) {
    const isLogin = header.toLowerCase() === 'authorization' && Object.keys(login).length === 0
    const own = isLogin && typeof value === 'string' ? readLogin(draft, name, value) : null
    const isSecret = typeof value === 'string' && secretHeader.test(header)
    if (own !== null) login = own
    else lines.push([`${header}: `, isSecret ? draft.secret(`${name} ${header}`, value) : value])
  }
  if (lines.length === 0) return login
  const written = joined(lines.flatMap((line, index) => (index === 0 ? line : ['\n', ...line])))
  const isPlain = lines.flat().every((part) => typeof part === 'string')
  return { ...login, request_headers: isPlain ? written.value : written }
}

function readLogin(draft: Draft, name: string, value: string): Login | null {
  const [, scheme = '', credentials = ''] = /^(Bearer|Basic)\s+(\S+)\s*$/i.exec(value) ?? []
  if (scheme.toLowerCase() === 'bearer') return { bearer_token: draft.secret(`${name} bearer token`, credentials) }
  if (scheme.toLowerCase() !== 'basic') return null
  const [, username, password = ''] = /^([^:]*):(.*)$/s.exec(Buffer.from(credentials, 'base64').toString('utf8')) ?? []
  return username === undefined ? null : basicLogin(draft, name, username, password)
}

export function basicLogin(draft: Draft, name: string, username: string | null, password: string | null): Login {
  return {
    ...(username === null ? {} : { username }),
    ...(password === null || password === '' ? {} : { password: draft.secret(`${name} password`, password) }),
  }
}

/** Status codes as a setting: `200-299,404`; null if there is none. */
export function statusRanges(codes: ReadonlySet<number>): string | null {
  const ranges: [number, number][] = []
  for (const code of [...codes].toSorted((one, other) => one - other)) {
    const last = ranges.at(-1)
    if (last !== undefined && last[1] === code - 1) last[1] = code
    else ranges.push([code, code])
  }
  return ranges.length === 0 ? null : ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',')
}

export const everyStatus: readonly number[] = Array.from({ length: 500 }, (_, index) => index + 100)

/** A path of JSONata, gjson or a similar language, if it is one of plain steps: `$.a[0].b`. */
export function jsonPathOf(path: string): string | null {
  const plain = path
    .trim()
    .replace(/^\$\.?/, '')
    .replace(/^\./, '')
  if (plain === '') return '$'
  if (!/^(?:\[\d+\]|[\p{L}_][\p{L}\p{N}_]*)(?:\.[\p{L}_][\p{L}\p{N}_]*|\.?\[\d+\])*$/u.test(plain)) return null
  return `$${plain.startsWith('[') ? '' : '.'}${plain.replaceAll('.[', '[')}`
}
