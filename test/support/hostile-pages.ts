// Pages that try to hold, flood or break the browser, each with the verdict it deserves.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ErrorTypeSymbol } from '../../src/domain/judging/error-types.ts'
import type { Settings } from '../../src/sensor/protocol.ts'

export interface HostilePage {
  readonly name: string
  readonly verdict: ErrorTypeSymbol | 'ok'
  readonly settings?: Settings
  readonly play: (request: IncomingMessage, response: ServerResponse) => void
}

function html(body: string, headers: Readonly<Record<string, string>> = {}): HostilePage['play'] {
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body)
  }
}

function script(code: string): HostilePage['play'] {
  return html(`<title>hostile</title><p>text</p><script>${code}</script>`)
}

/** As long as a good page may need on a slow machine, so that only what never ends runs into it. */
const short: Settings = { timeout: 3000 }
const filling = Buffer.alloc(64 * 1024, 'x')

function pour(response: ServerResponse): void {
  const write = (): void => {
    while (!response.destroyed && response.write(filling)) {
      // The socket's own buffer decides when to wait.
    }
  }
  response.on('drain', write)
  write()
}

export const hostilePages: readonly HostilePage[] = [
  { name: 'a few dialogs', verdict: 'ok', play: script('alert(1); confirm(2); prompt(3)') },
  { name: 'dialogs without end', verdict: 'page_dialog_loop', play: script('for (;;) alert(1)') },
  { name: 'a question before leaving', verdict: 'ok', play: script('onbeforeunload = () => "stay"') },
  { name: 'a few windows', verdict: 'ok', play: script('for (let n = 0; n < 5; n++) open("about:blank")') },
  {
    name: 'windows without end',
    verdict: 'page_dialog_loop',
    play: script('setInterval(() => open("about:blank"), 5); document.write("<img src=/never>")'),
  },
  {
    name: 'a download',
    verdict: 'page_is_download',
    play: html('binary', {
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename=a.exe',
    }),
  },
  {
    name: 'a page that begins a download',
    verdict: 'ok',
    play: (request, response) => {
      if (request.url === '/file') html('binary', { 'content-type': 'application/octet-stream' })(request, response)
      else html('<iframe src="/file"></iframe><p>text</p>')(request, response)
    },
  },
  {
    name: 'scripts that send on without end',
    verdict: 'page_navigation_loop',
    play: script('location = "/" + Math.random()'),
  },
  {
    name: 'a page that reloads itself when loaded',
    verdict: 'page_navigation_loop',
    play: script('onload = () => location.reload()'),
  },
  {
    name: 'a refresh without end',
    verdict: 'page_navigation_loop',
    play: html('<meta http-equiv="refresh" content="0"><p>text</p>'),
  },
  {
    name: 'redirects without end',
    verdict: 'http_too_many_redirects',
    play: (request, response) => {
      response.writeHead(302, { location: `/${Number(request.url?.slice(1)) + 1 || 1}` }).end()
    },
  },
  {
    name: 'an endless array',
    verdict: 'page_crashed',
    play: script('const a = []; for (;;) a.push(new Array(10000).fill(a.length))'),
  },
  {
    name: 'endless buffers',
    verdict: 'page_crashed',
    play: script(
      'const a = []; setInterval(() => a.push(new Uint8Array(5e7).fill(1)), 1); document.write("<img src=/never>")',
    ),
  },
  { name: 'a loop while loading', verdict: 'page_timeout', settings: short, play: script('for (;;);') },
  {
    name: 'a loop in the load event',
    verdict: 'page_timeout',
    settings: short,
    play: script('onload = () => { for (;;); }'),
  },
  {
    name: 'a loop once loaded',
    verdict: 'page_unresponsive',
    play: script('onload = () => setTimeout(() => { for (;;); })'),
  },
  {
    name: 'an image that never comes',
    verdict: 'page_timeout',
    settings: short,
    play: html('<p>text</p><img src="/never">'),
  },
  { name: 'no answer', verdict: 'page_timeout', settings: short, play: () => {} },
  {
    name: 'a response without end',
    verdict: 'page_too_large',
    play: (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      pour(response)
    },
    settings: { maximum_page_size: 5_000_000 },
  },
  {
    name: 'a response that trickles without end',
    verdict: 'page_timeout',
    settings: short,
    play: (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      const timer = setInterval(() => response.write('<p>more</p>'), 20)
      response.on('close', () => clearInterval(timer))
    },
  },
  {
    name: 'a huge page',
    verdict: 'page_too_large',
    settings: { maximum_page_size: 1_000_000 },
    play: html(`<p>${'text '.repeat(400_000)}</p>`),
  },
  { name: 'a deep document', verdict: 'ok', play: html(`${'<div>'.repeat(5000)}text`) },
  {
    name: 'requests without end',
    verdict: 'page_too_many_requests',
    play: script(
      'setInterval(() => { for (let n = 0; n < 50; n++) new Image().src = "/never" + Math.random() }, 1); document.write("<img src=/never>")',
    ),
  },
  { name: 'a talkative script', verdict: 'ok', play: script('for (let n = 0; n < 20000; n++) console.log("line", n)') },
  {
    name: 'frames within frames',
    verdict: 'ok',
    play: (request, response) =>
      html(
        Number(request.url?.slice(1)) > 20
          ? 'text'
          : `<iframe src="/${Number(request.url?.slice(1)) + 1 || 1}"></iframe>`,
      )(request, response),
  },
  { name: 'a page that closes itself', verdict: 'ok', play: script('close()') },
  {
    name: 'a page that changes what scripts stand on',
    verdict: 'ok',
    play: script('Promise = null; JSON = null; Array.prototype.map = () => { throw 1 }; setTimeout = null'),
  },
]

/** A hostile page's further requests with the name `never` are never answered. */
export function serveHostile(page: HostilePage): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    if (request.url === '/favicon.ico') response.writeHead(404).end()
    else if (!request.url?.startsWith('/never')) page.play(request, response)
  }
}
