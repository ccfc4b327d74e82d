import { isIP } from 'node:net'

interface Cookie {
  readonly name: string
  readonly value: string
  readonly domain: string
  readonly isForSubdomains: boolean
  /** Set with `Secure`: it goes over TLS alone. */
  readonly isSecure: boolean
}

/** Cookies set along one chain of redirects: sites that set a cookie and redirect to themselves loop without them. */
export interface CookieJar {
  keep(url: URL, setCookie: readonly string[]): void
  /** The Cookie header for this address, or null. */
  header(url: URL): string | null
}

/** As browsers keep them (RFC 6265, section 6.1, and Chromium's limits); the oldest go first. */
const mostCookies = 180
const longestCookie = 4096

export function createCookieJar(): CookieJar {
  const cookies = new Map<string, Cookie>()
  return {
    keep(url, setCookie) {
      for (const line of setCookie) {
        const cookie = parseCookie(line, url.hostname)
        if (cookie !== null) cookies.set(`${cookie.domain} ${cookie.name}`, cookie)
      }
      for (const name of [...cookies.keys()].slice(0, -mostCookies)) cookies.delete(name)
    },
    header(url) {
      const fitting = [...cookies.values()].filter((cookie) => fits(cookie, url))
      return fitting.length === 0 ? null : fitting.map(({ name, value }) => `${name}=${value}`).join('; ')
    },
  }
}

function parseCookie(line: string, host: string): Cookie | null {
  const [pair = '', ...attributes] = line.split(';').map((part) => part.trim())
  const equals = pair.indexOf('=')
  if (equals < 1 || pair.length > longestCookie) return null
  const wanted = attributes.find((attribute) => /^domain=/i.test(attribute))?.slice('domain='.length)
  const domain = (wanted ?? '').replace(/^\./, '').toLowerCase()
  // The tail of an address is no domain (RFC 6265, section 5.1.3).
  const isName = isIP(host) === 0
  const isForSubdomains = isName && domain.includes('.') && (host === domain || host.endsWith(`.${domain}`))
  return {
    name: pair.slice(0, equals),
    value: pair.slice(equals + 1),
    domain: isForSubdomains ? domain : host,
    isForSubdomains,
    isSecure: attributes.some((attribute) => /^secure$/i.test(attribute)),
  }
}

function fits(cookie: Cookie, { hostname, protocol }: URL): boolean {
  if (cookie.isSecure && protocol !== 'https:') return false
  return hostname === cookie.domain || (cookie.isForSubdomains && hostname.endsWith(`.${cookie.domain}`))
}
