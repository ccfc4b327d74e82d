/** Phases of a request in their order, as HAR names them (HTTP Archive 1.2). */
export const phases = ['blocked', 'dns', 'connect', 'ssl', 'send', 'wait', 'receive'] as const
type Phase = (typeof phases)[number]

export interface HarRow {
  readonly number: number
  readonly url: string
  /** Short enough for a row. */
  readonly name: string
  readonly method: string
  /** Zero: it got no answer. */
  readonly status: number
  readonly kind: string
  /** Bytes, null where nobody knows. */
  readonly size: number | null
  /** Milliseconds after the first request. */
  readonly start: number
  /** Milliseconds. */
  readonly total: number
  readonly timings: Readonly<Record<Phase, number>>
  readonly isFailed: boolean
  readonly problem: string
}

const object = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
const number = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) ? Math.max(0, value) : 0
const text = (value: unknown): string => (typeof value === 'string' ? value : '')

function nameOf(url: string): string {
  if (!URL.canParse(url)) return url.slice(0, 80)
  const { host, pathname } = new URL(url)
  const last = pathname.split('/').findLast((part) => part !== '')
  return last ?? host
}

function kindOf(mimeType: string): string {
  const [type = '', subtype = ''] = mimeType.split(';')[0]?.split('/') ?? []
  if (/javascript|ecmascript/.test(subtype)) return 'script'
  if (subtype === 'css') return 'style'
  if (subtype === 'html') return 'page'
  if (/json|xml/.test(subtype)) return 'data'
  return type === '' || type === 'x-unknown' ? 'other' : type
}

function timingsOf(value: unknown): Record<Phase, number> {
  const timings = object(value)
  const read = Object.fromEntries(phases.map((phase) => [phase, number(timings[phase])])) as Record<Phase, number>
  // A HAR counts TLS into connect as well.
  return { ...read, connect: Math.max(0, read.connect - read.ssl) }
}

function rowOf(entry: Readonly<Record<string, unknown>>, index: number, firstAt: number): HarRow {
  const [request, response] = [object(entry['request']), object(entry['response'])]
  const timings = timingsOf(entry['timings'])
  const content = object(response['content'])
  const status = number(response['status'])
  const problem = text(response['_failureText']) || text(response['_error'])
  const bytes = response['_transferSize'] ?? content['size']
  return {
    number: index + 1,
    url: text(request['url']),
    name: nameOf(text(request['url'])),
    method: text(request['method']),
    status,
    kind: kindOf(text(content['mimeType'])),
    size: typeof bytes === 'number' && bytes >= 0 ? bytes : null,
    start: Math.max(0, Date.parse(text(entry['startedDateTime'])) - firstAt || 0),
    total: number(entry['time']) || phases.reduce((sum, phase) => sum + timings[phase], 0),
    timings,
    isFailed: status === 0 || status >= 400 || problem !== '',
    problem,
  }
}

/**
 * The requests of a network log. A target controls parts of it, so malformed parts are left out. Throws if it is no
 * HAR.
 */
export function readHar(source: string): readonly HarRow[] {
  const { entries } = object(object(JSON.parse(source))['log'])
  if (!Array.isArray(entries)) throw new Error('This is no HAR.')
  const known = entries.map(object)
  const starts = known.map((entry) => Date.parse(text(entry['startedDateTime']))).filter(Number.isFinite)
  const firstAt = Math.min(...starts)
  return known.map((entry, index) => rowOf(entry, index, firstAt))
}

export function kindsOf(rows: readonly HarRow[]): readonly string[] {
  return [...new Set(rows.map(({ kind }) => kind))].toSorted()
}
