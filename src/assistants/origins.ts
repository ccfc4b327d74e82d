const loopbackHost = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/**
 * Pages of our own address and of programs on the reader's own machine. A page that leads its own name to this server
 * (DNS rebinding) has another origin, so the host of the request counts for nothing.
 */
export function isAllowedOrigin(origin: string, publicUrl: string | undefined): boolean {
  if (!URL.canParse(origin)) return false
  const { origin: asked, hostname } = new URL(origin)
  if (publicUrl !== undefined && asked === new URL(publicUrl).origin) return true
  return asked !== 'null' && loopbackHost.test(hostname)
}

/** Lets the page of an allowed origin read the answer. No cookie is ever taken. */
export function originHeaders(origin: string): Readonly<Record<string, string>> {
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Methods': 'POST',
    'Access-Control-Allow-Headers':
      'Authorization, Content-Type, Accept, Accept-Language, Mcp-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID',
    'Access-Control-Expose-Headers': 'WWW-Authenticate, Retry-After, X-Request-Id',
    'Access-Control-Max-Age': '86400',
  }
}
