import { RE2JS } from 're2js'
import { isCronLine } from '../calendars/cron.ts'
import { timeZoneName } from '../calendars/time-zones.ts'
import { escapedBytes } from '../text/escaped-bytes.ts'
import { isPort } from './address-with-port.ts'
import { largestPattern, patternSize } from './pattern-size.ts'
import { parseSecrets } from './scenario-secrets.ts'
import type { SettingGrammar } from './service-types.ts'

/** An inclusive range of HTTP status codes. */
interface StatusRange {
  readonly from: number
  readonly to: number
}

/** `200-299,304` as ranges; undefined if the text breaks the grammar or leaves 100–599 (answers §7). */
function parseAcceptedStatuses(text: string): readonly StatusRange[] | undefined {
  const ranges: StatusRange[] = []
  for (const part of text.split(',')) {
    const match = /^\s*(\d{3})\s*(?:-\s*(\d{3})\s*)?$/.exec(part)
    if (match === null) return undefined
    const from = Number(match[1])
    const to = Number(match[2] ?? match[1])
    if (from < 100 || to > 599 || from > to) return undefined
    ranges.push({ from, to })
  }
  return ranges
}

/** The check itself sets the framing. These two headers would let a request contradict the body that is really sent. */
const framingHeaders = new Set(['content-length', 'transfer-encoding'])

/** Lines of `Name: value` as pairs in order; undefined if a line has another form or sets the body's framing. */
function parseRequestHeaders(text: string): readonly (readonly [name: string, value: string])[] | undefined {
  const headers: [string, string][] = []
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (line.trim() === '') continue
    const match = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):([\t\x20-\x7e\x80-\xff]*)$/.exec(line)
    if (match === null) return undefined
    const name = match[1] ?? ''
    if (framingHeaders.has(name.toLowerCase())) return undefined
    headers.push([name, (match[2] ?? '').replace(/^[ \t]+/, '').trimEnd()])
  }
  return headers
}

/** Labels of 1–63 characters, letters of any alphabet, `_` and an inner `-`; `.` alone is the root. */
export function isDomainName(text: string): boolean {
  if (text === '.') return true
  const labels = (text.endsWith('.') ? text.slice(0, -1) : text).split('.')
  return text.length <= 253 && labels.every((label) => /^(?!-)[A-Za-z0-9_*/-]{1,63}(?<!-)$/.test(asAsciiShape(label)))
}

/** Characters of other alphabets count as letters; only resolving shows which ones a registry allows. */
function asAsciiShape(label: string): string {
  return label.replace(/[^\p{ASCII}\p{Z}\p{C}]/gu, 'x')
}

/** A scenario has its own parser, which points at places within it. */
export function followsGrammar(grammar: Exclude<SettingGrammar, 'scenario'>, text: string): boolean {
  switch (grammar) {
    case 'escaped_bytes':
      return escapedBytes(text) !== undefined
    case 'web_address':
      return isWebAddress(text)
    case 'accepted_statuses':
      return parseAcceptedStatuses(text) !== undefined
    case 'request_headers':
      return parseRequestHeaders(text) !== undefined
    case 'domain_name':
      return isDomainName(text)
    case 'secrets':
      return parseSecrets(text) !== undefined
    case 'certificate_pem':
      return /^-----BEGIN CERTIFICATE-----[\s\S]*-----END CERTIFICATE-----\s*$/.test(text.trim())
    case 'cron':
      return isCronLine(text)
    case 'time_zone':
      return timeZoneName(text) !== undefined
  }
}

/** A complete http or https address without a user or a password, which have their own fields. */
function isWebAddress(text: string): boolean {
  const parts = /^https?:\/\/(?:\[[0-9a-f:.]+\]|[^\s/?#@:[\]]+)(?::(\d{1,5}))?(?:[/?][^\s#]*)?$/i.exec(text)
  return parts !== null && (parts[1] === undefined || isPort(parts[1]))
}

/**
 * The reason why the stations' engine cannot use the pattern. The engine runs in time linear in the text and in the
 * pattern's size.
 */
export function patternFault(text: string): 'regular_expression' | 'regular_expression_size' | undefined {
  if (patternSize(text) > largestPattern) return 'regular_expression_size'
  try {
    RE2JS.compile(text)
    return undefined
  } catch {
    return 'regular_expression'
  }
}
