import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { setTimeout as delay } from 'node:timers/promises'
import type { Mood, Part } from '../moods.ts'
import { serverTime } from '../weather.ts'
import { assets, brokenLogin, pages, unavailablePage } from './pages.ts'
import { panelUser } from './scenario.ts'

/** The present state of each part, and the means to break one. */
export interface Moods {
  now(part: Part): Mood
  /** @returns until when, Unix milliseconds */
  break(part: Part): number
}

interface Route {
  readonly part: Part
  /** Milliseconds on a quiet night. */
  readonly quiet: number
}

const routes: Readonly<Record<string, Route>> = {
  '/': { part: 'shop', quiet: 64 },
  '/koszyk': { part: 'basket', quiet: 92 },
  '/uk/': { part: 'uk', quiet: 78 },
  '/staging/': { part: 'staging', quiet: 83 },
  '/panel/login': { part: 'panel', quiet: 55 },
  '/panel/zamowienia': { part: 'panel', quiet: 60 },
  '/orders/health': { part: 'orders', quiet: 41 },
  '/payments/health': { part: 'payments', quiet: 55 },
}

const longestBody = 10_000
const cookie = 'panel=ania'

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const part of request.setEncoding('utf8')) {
    text += part
    if (text.length > longestBody) throw new Error('The body is too long.')
  }
  return text
}

function html(response: ServerResponse, text: string, status = 200, headers: Readonly<Record<string, string>> = {}) {
  const bytes = Buffer.from(text)
  const type = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Length': bytes.length, Server: 'zaglownia' }
  response.writeHead(status, { ...type, ...headers }).end(bytes)
}

async function logIn(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const given = new URLSearchParams(await bodyOf(request))
  const isRight = given.get('username') === panelUser.username && given.get('password') === panelUser.password
  const to = isRight
    ? { Location: '/panel/zamowienia', 'Set-Cookie': `${cookie}; Path=/panel; HttpOnly` }
    : { Location: '/panel/login' }
  response.writeHead(303, to).end()
}

function show(request: IncomingMessage, response: ServerResponse, path: string): void {
  const isKnown = (request.headers.cookie ?? '').includes(cookie)
  const text = pages[path]
  if (path === '/panel/zamowienia' && !isKnown) response.writeHead(302, { Location: '/panel/login' }).end()
  else if (text !== undefined) html(response, text)
  else response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"status":"ok","database":"ok","queue":0}')
}

function fail(response: ServerResponse, path: string): void {
  if (path === '/panel/login') html(response, brokenLogin)
  else if (pages[path] !== undefined) html(response, unavailablePage, 503, { 'Retry-After': '120' })
  else response.writeHead(503, { 'Content-Type': 'application/json' }).end('{"status":"down","database":"unreachable"}')
}

async function answer(request: IncomingMessage, response: ServerResponse, moods: Moods): Promise<void> {
  const path = (request.url ?? '/').split('?')[0] ?? '/'
  if (request.method === 'POST' && path === '/break') {
    const until = new Date(moods.break('shop')).toISOString()
    response.writeHead(202, { 'Content-Type': 'application/json' }).end(`${JSON.stringify({ broken_until: until })}\n`)
    return
  }
  const asset = assets[path]
  const route = routes[path]
  if (asset !== undefined) response.writeHead(200, { 'Content-Type': asset.type }).end(asset.text)
  else if (route === undefined) html(response, '<h1>404</h1>', 404)
  else {
    const { slowness, isFailing } = moods.now(route.part)
    await delay(isFailing ? 30 : serverTime(route.quiet, Date.now(), route.quiet) * slowness)
    if (isFailing) fail(response, path)
    else if (path === '/panel/login' && request.method === 'POST') await logIn(request, response)
    else show(request, response, path)
  }
}

function listener(moods: Moods): RequestListener {
  return (request, response) => void answer(request, response, moods).catch(() => response.destroy())
}

export function webServer(moods: Moods) {
  return createServer(listener(moods))
}

export function secureWebServer(moods: Moods, certificate: { readonly cert: string; readonly key: string }) {
  return createSecureServer(certificate, listener(moods))
}
