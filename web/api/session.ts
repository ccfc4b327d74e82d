import { prefix } from './prefix.ts'

/** In memory alone: it ends with the page. The browser keeps a cookie that scripts cannot read. */
let token: string | null = null

const ours = { 'X-Latarnik-Console': '1' }

export function sessionToken(): string {
  return token ?? ''
}

/** Asks for the token of this browser's session; false: nobody is logged in. */
export async function openSession(): Promise<boolean> {
  const response = await fetch(`${prefix}/console/session`, { headers: ours })
  token = response.ok ? ((await response.json()) as { readonly token: string | null }).token : null
  return token !== null
}

let leaving = false

/** The first navigation decides the target, because a second one would abort it. */
function leave(query = ''): void {
  if (leaving) return
  leaving = true
  location.assign(`${prefix}/login${query}`)
}

/** Leaves for the login, which leads back here. */
export function toLogin(): Promise<never> {
  const { pathname, search } = location
  leave(`?${new URLSearchParams({ to: pathname.slice(prefix.length) + search })}`)
  return new Promise(() => undefined)
}

const sessionEnds = 'latarnik log out'

/** Leaves for the login when another tab logs out. */
export function followLogOut(): () => void {
  const channel = new BroadcastChannel(sessionEnds)
  channel.onmessage = () => leave()
  return () => channel.close()
}

/** A page that comes back from the browser's memory of pages has not left. */
addEventListener('pageshow', () => {
  leaving = false
})

export async function logOut(): Promise<void> {
  leaving = true
  let next: string | null
  try {
    const response = await fetch(`${prefix}/console/session`, { method: 'DELETE', headers: ours })
    // An identity provider ends its own login.
    next = response.headers.get('latarnik-continue')
  } catch (error) {
    leaving = false
    throw error
  }
  location.assign(next ?? `${prefix}/login`)
  const channel = new BroadcastChannel(sessionEnds)
  channel.postMessage('')
  channel.close()
}
