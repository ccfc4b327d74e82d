import * as z from 'zod'

/** The list of the servers that answer for top-level domains (RFC 9224). */

const list = z.object({ services: z.array(z.tuple([z.array(z.string()), z.array(z.string())])) })

export type Bootstrap = z.infer<typeof list>

/** Null for a text that is no such list. */
export function readBootstrap(text: string): Bootstrap | null {
  try {
    return list.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/** The base address of the server for the domain: of the longest entry that ends it, and over TLS if it can be. */
export function serverFor({ services }: Bootstrap, domain: string): string | null {
  const labels = domain.split('.')
  for (let from = 0; from < labels.length; from += 1) {
    const suffix = labels.slice(from).join('.')
    const entry = services.find(([names]) => names.some((name) => name.toLowerCase() === suffix))
    const urls = (entry?.[1] ?? []).filter((url) => URL.canParse(url) && /^https?:/i.test(url))
    const chosen = urls.find((url) => /^https:/i.test(url)) ?? urls[0]
    if (chosen !== undefined) return chosen.endsWith('/') ? chosen : `${chosen}/`
  }
  return null
}
