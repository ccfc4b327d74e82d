import type { IncomingMessage } from 'node:http'

/**
 * The head of a proxied request in the form that the target would get from the browser: origin form, without the
 * proxy's own headers.
 */
export function forwardedHead({ method, rawHeaders }: IncomingMessage, url: URL): string {
  const lines = [`${method ?? 'GET'} ${url.pathname}${url.search} HTTP/1.1`]
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2)
    const lower = name.toLowerCase()
    if (lower === 'proxy-connection') lines.push(`Connection: ${value}`)
    else if (!lower.startsWith('proxy-')) lines.push(`${name}: ${value}`)
  }
  return `${lines.join('\r\n')}\r\n\r\n`
}
