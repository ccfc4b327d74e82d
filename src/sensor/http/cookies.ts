import { CookieJar as Jar, MemoryCookieStore } from 'tough-cookie'

/** Cookies set along one chain of redirects. Without them, sites that set a cookie and redirect to themselves loop. */
export interface CookieJar {
  keep(url: URL, setCookie: readonly string[]): void
  /** The Cookie header for this address, or null. */
  header(url: URL): string | null
}

/** The limits of browsers (RFC 6265, section 6.1, and Chromium's); the oldest are dropped first. */
const mostCookies = 180
const longestCookie = 4096

/** It is made with the first cookie: most chains have none, and looking for one costs a twentieth of a check. */
export function createCookieJar(): CookieJar {
  let kept: KeptCookies | null = null
  return {
    keep(url, setCookie) {
      if (setCookie.length === 0) return
      kept ??= newJar()
      for (const line of setCookie.slice(-mostCookies)) {
        const [pair = ''] = line.split(';', 1)
        if (pair.length <= longestCookie) kept.jar.setCookieSync(line, url.href, { ignoreError: true })
      }
      dropOldest(kept.store)
    },
    header: (url) => kept?.jar.getCookieStringSync(url.href) || null,
  }
}

interface KeptCookies {
  readonly jar: Jar
  readonly store: MemoryCookieStore
}

function newJar(): KeptCookies {
  const store = new MemoryCookieStore()
  // A public suffix has no cookies; `Secure` ones go over TLS only, even to this machine.
  return { store, jar: new Jar(store, { looseMode: true, prefixSecurity: 'silent', allowSecureOnLocal: false }) }
}

/** The store answers at once, though through a callback. */
function dropOldest(store: MemoryCookieStore): void {
  store.getAllCookies((_error, cookies = []) => {
    for (const { domain, path, key } of cookies.slice(0, -mostCookies)) {
      store.removeCookie(domain ?? '', path ?? '', key, () => undefined)
    }
  })
}
