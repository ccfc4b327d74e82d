import { serviceTypeOf } from '../checks/index.ts'
import type { Draft, Item } from './draft.ts'
import type { DrawnService, Members } from './drawn.ts'
import type { Row } from './row.ts'

/** Parts that several probers of blackbox_exporter share: versions of IP, TLS, conversations, and what is left out. */

export type Target = Pick<DrawnService, 'type_id' | 'address' | 'extended_settings'>

/** A target, with the module that probes it. */
export interface Asked {
  readonly draft: Draft
  readonly item: Item
  /** Targets of one module share the secrets that have its name. */
  readonly module: string
  /** The part of the module for its prober. */
  readonly section: Row
  readonly target: string
}

/** The type, or its sibling for IPv6 where the module takes nothing else. */
export function ofProtocol({ item, section }: Asked, typeId: string): string {
  const [preferred, hasOther] = [section.text('preferred_ip_protocol'), section.flag('ip_protocol_fallback', true)]
  if (preferred !== 'ip6' || hasOther) return typeId
  if (serviceTypeOf(`${typeId}_ipv6`) !== undefined) return `${typeId}_ipv6`
  item.change('Its preferred_ip_protocol is left out.')
  return typeId
}

export function tlsOf(item: Item, config: Row): Members {
  const isVerified = !config.flag('insecure_skip_verify')
  tellLeftOut(item, config, 'tls_config')
  return isVerified ? {} : { verify_certificate: false }
}

/** A conversation of one text that is sent and one that is awaited. */
export interface Talk {
  readonly sent: string | null
  readonly expected: string | null
}

/** Null for a longer conversation, one of bytes, and one with STARTTLS. */
export function shortTalk(talk: readonly Row[]): Talk | null {
  const isOfBytes = (one: Row) => one.has('expect_bytes') || (one.has('send') && one.text('send') === null)
  const [sent, ...others] = talk.flatMap((one) => one.text('send') ?? [])
  const [expected, ...more] = talk.flatMap((one) => one.text('expect') ?? [])
  const isLonger = others.length > 0 || more.length > 0 || talk.some((one) => one.flag('starttls') || isOfBytes(one))
  return isLonger ? null : { sent: sent ?? null, expected: expected ?? null }
}

/** The exporter looks at each line by itself, without its end. */
export function linePattern(pattern: string): string {
  const ended = pattern.replace(/(?<!\\)\$$/, String.raw`\r?$`)
  return /[$^]/.test(pattern) ? `(?m)${ended}` : pattern
}

/** Tells the members with a value that nothing was made of. */
export function tellLeftOut(item: Item, section: Row, name?: string): void {
  const left = section.unread()
  if (left.length > 0) item.change(`Left out${name === undefined ? '' : ` of ${name}`}: ${left.join(', ')}.`)
}

/** The labels that the usual rules set: the target becomes the parameter, and the exporter is asked in its place. */
const usual = new Set(['__param_target', '__param_module', '__address__', 'instance', 'module'])

export function tellRelabelling(draft: Draft, job: Row): void {
  const rules = job.rows('relabel_configs')
  const isUsual = (rule: Row) =>
    usual.has(rule.text('target_label') ?? '') &&
    (rule.text('action') ?? 'replace') === 'replace' &&
    (rule.text('target_label') === '__address__' || !rule.has('regex'))
  const others = rules.filter((rule) => !isUsual(rule)).length
  if (others > 0)
    draft.note(
      `Rules of relabelling of ${job.text('job_name')} (${others}) are left out: its targets are carried as they stand.`,
    )
}
