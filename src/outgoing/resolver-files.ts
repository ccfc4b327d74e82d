import { readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'
import type { DnsServer } from './dns-client.ts'

export interface ResolverFiles {
  readonly hosts: string
  readonly configuration: string
}

export interface ResolverConfiguration {
  readonly servers: readonly DnsServer[]
  readonly search: readonly string[]
  readonly ndots: number
}

export const systemFiles: ResolverFiles = { hosts: '/etc/hosts', configuration: '/etc/resolv.conf' }

const recheckMs = 5000

/** The current hosts file and resolv.conf; each is checked again at most every five seconds. */
export function readResolverFiles(files: ResolverFiles, port: number) {
  return {
    hosts: watched(files.hosts, parseHosts),
    configuration: watched(files.configuration, (text) => parseConfiguration(text, port)),
  }
}

/** The parsed file, read again when it changes. A missing file counts as empty. */
function watched<T>(path: string, parse: (text: string) => T): () => T {
  let checkedAt = Number.NEGATIVE_INFINITY
  let modifiedAt = Number.NaN
  let value = parse('')
  return () => {
    const now = performance.now()
    if (now - checkedAt < recheckMs) return value
    checkedAt = now
    const modified = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
    if (modified === modifiedAt) return value
    modifiedAt = modified
    value = parse(modified === 0 ? '' : readFileSync(path, 'utf8'))
    return value
  }
}

function linesOf(text: string): readonly (readonly string[])[] {
  return text.split('\n').map((line) => (line.split(/[#;]/)[0] ?? '').trim().split(/\s+/))
}

function parseHosts(text: string): ReadonlyMap<string, readonly string[]> {
  const byName = new Map<string, string[]>()
  for (const [ip = '', ...names] of linesOf(text)) {
    if (isIP(ip) === 0) continue
    for (const name of names) byName.set(name.toLowerCase(), [...(byName.get(name.toLowerCase()) ?? []), ip])
  }
  return byName
}

function parseConfiguration(text: string, port: number): ResolverConfiguration {
  const lines = linesOf(text)
  const servers = lines.flatMap(([word, ip = '']) => (word === 'nameserver' && isIP(ip) !== 0 ? [{ ip, port }] : []))
  const search =
    lines
      .filter(([word]) => word === 'search' || word === 'domain')
      .at(-1)
      ?.slice(1) ?? []
  const ndots = lines
    .flat()
    .find((word) => word.startsWith('ndots:'))
    ?.slice('ndots:'.length)
  return {
    servers: servers.length > 0 ? servers : [{ ip: '127.0.0.1', port }],
    search: search.filter((suffix) => suffix !== '.').map((suffix) => suffix.replace(/\.$/, '').toLowerCase()),
    ndots: ndots === undefined ? 1 : Number(ndots),
  }
}
