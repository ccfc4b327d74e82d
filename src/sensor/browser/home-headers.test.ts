import type { CDPSession } from 'playwright-core'
import { expect, test } from 'vitest'
import { sendHeaders } from './home-headers.ts'

type Listener = (event: { requestId: string; request: { url: string; headers: Record<string, string> } }) => void

/** The headers that a browser sends when a page of `home` requests the url. */
async function sentTo(url: string, home: string): Promise<Readonly<Record<string, string>>> {
  const listeners: Listener[] = []
  let sent: readonly { readonly name: string; readonly value: string }[] = []
  const session = {
    on: (_event: string, listener: Listener) => listeners.push(listener),
    send: async (_method: string, given: { headers?: typeof sent }) => {
      sent = given.headers ?? sent
    },
  }
  const credentials = { username: 'alice', password: 'sesame' }
  const wanted = { url: new URL(home), headers: [['X-Key', 'of home']] as const, credentials }
  await sendHeaders(session as unknown as CDPSession, wanted)
  for (const listener of listeners) listener({ requestId: '1', request: { url, headers: { Accept: '*/*' } } })
  return Object.fromEntries(sent.map(({ name, value }) => [name, value]))
}

const own = { Accept: '*/*' }
const all = { ...own, 'X-Key': 'of home', Authorization: `Basic ${btoa('alice:sesame')}` }

test.each([
  ['https://shop.example/cart', all],
  ['https://shop.example:443/', all],
  ['http://shop.example/', own],
  ['https://shop.example:8443/', own],
  ['https://www.shop.example/', own],
  ['https://shop.example.other.example/', own],
  ['wss://shop.example/', own],
  ['data:text/html,x', own],
  ['no address', own],
])('what is for https://shop.example goes to %s as %j', async (url, headers) => {
  expect(await sentTo(url, 'https://shop.example/')).toEqual(headers)
})
