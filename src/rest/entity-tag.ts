import { createHash } from 'node:crypto'

/** As bytes: to a text the framework would add a charset, which JSON does not have (RFC 8259, section 11). */
export function jsonText(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value))
}

export function strongTag(bytes: Uint8Array): string {
  return `"${createHash('sha1').update(bytes).digest('base64url')}"`
}

/**
 * Whether `If-None-Match` or `If-Match` names this tag: a list, weak tags and `*` (RFC 9110, section 13.1).
 * A weak tag of ours is that of a compressed answer, whose content is the same.
 */
export function matchesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  return header.split(',').some((entry) => {
    const candidate = entry.trim()
    return candidate === '*' || candidate.replace(/^W\//, '') === tag
  })
}
