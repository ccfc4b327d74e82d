// A small shop with a login, on 127.0.0.1: what scenarios are played on.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Shop {
  readonly url: string
  /** Bodies that forms have sent. */
  readonly sent: string[]
  close(): Promise<void>
}

/** HTML by path, beside the pages of the shop itself. */
export type Pages = Readonly<Record<string, string>>

export const shopUser = { username: 'alice', password: 'Open & close 7"ż' }

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body>${body}</body></html>`
}

function loginForm(message: string): string {
  return page(
    'Log in',
    `<h1>Log in</h1><p id="message">${message}</p>
     <form method="post" action="/login">
       <label>User name <input name="username" id="username" autocomplete="off"></label>
       <label>Password <input name="password" type="password" id="password"></label>
       <button type="submit" id="enter">Log in</button>
     </form>`,
  )
}

const account = page(
  'Account',
  `<h1>Welcome, ${shopUser.username}</h1><nav><a href="/orders">Orders</a> <a href="/logout">Log out</a></nav>`,
)
const orders = page('Orders', '<h1>Orders</h1><ul><li class="order">One</li><li class="order">Two</li></ul>')

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}

function isRight(body: string): boolean {
  const given = new URLSearchParams(body)
  return given.get('username') === shopUser.username && given.get('password') === shopUser.password
}

export async function openShop(pages: Pages = {}): Promise<Shop> {
  const sent: string[] = []
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '/').split('?')[0] ?? '/'
    const isKnown = /shop=alice/.test(request.headers.cookie ?? '')
    const html = (text: string, status = 200) =>
      response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8' }).end(text)
    const to = (place: string, cookie: string) =>
      response.writeHead(303, { Location: place, 'Set-Cookie': `shop=${cookie}; Path=/` }).end()
    const given = pages[path]
    if (given !== undefined) html(given)
    else if (path === '/login' && request.method === 'POST') {
      const body = await bodyOf(request)
      sent.push(body)
      if (isRight(body)) to('/account', 'alice')
      else html(loginForm('Wrong user name or password.'))
    } else if (path === '/login') html(loginForm(''))
    else if (path === '/logout') to('/login', '')
    else if (path === '/account' || path === '/orders') {
      if (isKnown) html(path === '/account' ? account : orders)
      else response.writeHead(302, { Location: '/login' }).end()
    } else html(page('Nothing here', '<h1>404</h1>'), 404)
  }
  const server: Server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    sent,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const offsets = { offsetX: 5, offsetY: 5 }

/** The login as the Recorder writes it down, in eight steps. */
export function loginScenario(url: string, password = '{{word}}'): string {
  const navigation = (to: string, title: string) => ({ type: 'navigation', url: `${url}${to}`, title })
  return JSON.stringify({
    title: 'Log in to the shop',
    steps: [
      {
        type: 'setViewport',
        width: 1200,
        height: 800,
        deviceScaleFactor: 1,
        isMobile: false,
        hasTouch: false,
        isLandscape: false,
      },
      { type: 'navigate', url: `${url}/login`, assertedEvents: [navigation('/login', 'Log in')], title: 'Open' },
      {
        type: 'click',
        target: 'main',
        selectors: [['aria/User name'], ['#username'], ['xpath///*[@id="username"]'], ['pierce/#username']],
        ...offsets,
      },
      { type: 'change', target: 'main', value: '{{user}}', selectors: [['aria/User name'], ['#username']] },
      { type: 'change', target: 'main', value: password, selectors: [['aria/Password'], ['#password']] },
      {
        type: 'click',
        target: 'main',
        selectors: [['aria/Log in[role="button"]'], ['#enter']],
        ...offsets,
        assertedEvents: [navigation('/account', 'Account')],
      },
      {
        type: 'click',
        target: 'main',
        selectors: [['aria/Orders'], ['text/Orders']],
        ...offsets,
        assertedEvents: [navigation('/orders', 'Orders')],
      },
      { type: 'waitForElement', selectors: ['.order'], operator: '==', count: 2 },
    ],
  })
}

export const shopSecrets = `user=${shopUser.username}\nword=${shopUser.password}`
