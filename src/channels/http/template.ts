import { validateHeaderName, validateHeaderValue } from 'node:http'

/** The placeholders of a template. */
export type Filling = Readonly<Record<'to' | 'text' | 'id', string>>

const placeholder = /\{(to|text|id)\}/g

function fill(template: string, filling: Filling, escaped: (value: string) => string): string {
  return template.replace(placeholder, (_, name: keyof Filling) => escaped(filling[name]))
}

export function names(template: string, name: keyof Filling): boolean {
  return template.includes(`{${name}}`)
}

export function fillUrl(template: string, filling: Filling): string {
  return fill(template, filling, encodeURIComponent)
}

/** An address whose host and credentials do not depend on a message. */
export function isUrlTemplate(text: string): boolean {
  if (!/^https?:\/\/[^/?#{}\s]+([/?#]\S*)?$/i.test(text)) return false
  try {
    const { username, password, port } = new URL(fillUrl(text, { to: '1', text: '1', id: '1' }))
    decodeURIComponent(username + password)
    return port !== '0'
  } catch {
    return false
  }
}

/** A body that begins like JSON is JSON; any other is a form. */
function isJson(template: string): boolean {
  return /^\s*[[{]/.test(template)
}

export interface Body {
  readonly content: string
  readonly contentType: string
}

export function fillBody(template: string, filling: Filling): Body {
  return isJson(template)
    ? { content: fill(template, filling, inJsonText), contentType: 'application/json' }
    : { content: fill(template, filling, encodeURIComponent), contentType: 'application/x-www-form-urlencoded' }
}

/** JSON with placeholders inside its strings, or `name=value&…` in its sent form. */
export function isBodyTemplate(template: string): boolean {
  if (!isJson(template)) return /^[^\s=&]+=[^\s=&]*(&[^\s=&]+=[^\s=&]*)*$/.test(template)
  try {
    JSON.parse(template)
    return true
  } catch {
    return false
  }
}

/** The fixed values in a body template, in each form in which an answer may repeat them. */
export function constants(template: string): string[] {
  const values = isJson(template)
    ? leavesOf(JSON.parse(template)).flatMap((value) => [value, inJsonText(value)])
    : [...new URLSearchParams(template).values()].flatMap((value) => [value, encodeURIComponent(value)])
  return values.filter((value) => !/\{(to|text|id)\}/.test(value))
}

function leavesOf(value: unknown): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : []
}

function inJsonText(value: string): string {
  return JSON.stringify(value).slice(1, -1)
}

/** Headers that define the request's framing, or that the channel itself sets. */
const ownHeaders = ['content-length', 'transfer-encoding', 'connection', 'expect', 'upgrade', 'idempotency-key']

/** `{"Name": "value", …}`; null for any other text. */
export function parseHeaders(json: string): Readonly<Record<string, string>> | null {
  try {
    const parsed: unknown = JSON.parse(json)
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return null
    const headers: Record<string, string> = {}
    for (const [name, value] of Object.entries(parsed)) {
      validateHeaderName(name)
      if (typeof value !== 'string' || ownHeaders.includes(name.toLowerCase())) return null
      validateHeaderValue(name, value)
      headers[name] = value
    }
    return headers
  } catch {
    return null
  }
}
