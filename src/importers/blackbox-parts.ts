import { serviceTypeOf } from '../checks/index.ts'
import type { Draft, Item } from './draft.ts'
import type { DrawnService, Members } from './drawn.ts'
import type { Row } from './row.ts'

/** Parts of the modules of blackbox_exporter: versions of IP, TLS, conversations over TCP, and what is left out. */

type Target = Pick<DrawnService, 'type_id' | 'address' | 'extended_settings'>

/** The type, or its sibling for IPv6 where the module takes nothing else. */
export function ofProtocol(item: Item, section: Row, typeId: string): string {
  if (section.text('preferred_ip_protocol') !== 'ip6' || section.flag('ip_protocol_fallback', true)) return typeId
  if (serviceTypeOf(`${typeId}_ipv6`) !== undefined) return `${typeId}_ipv6`
  item.change('Its preferred_ip_protocol is left out.')
  return typeId
}

export function tlsOf(item: Item, config: Row): Members {
  const others = Object.keys(config.members).filter((member) => member !== 'insecure_skip_verify')
  if (others.length > 0) item.change(`Left out of tls_config: ${others.join(', ')}.`)
  return config.flag('insecure_skip_verify') ? { verify_certificate: false } : {}
}

function hostAndPort(target: string, usual: number): { readonly host: string; readonly port: number } {
  const [, host = target, port = ''] = /^(.*?)(?::(\d+))?$/.exec(target) ?? []
  return { host, port: port === '' ? usual : Number(port) }
}

/** The first words of the server, and an answer to them at most. */
function bannerTarget(talk: readonly Row[], target: string): Target | null {
  const expected = talk[0]?.text('expect') ?? ''
  if (!/^\^?SSH-/.test(expected) || talk.length > 2 || talk[1]?.has('expect') === true) return null
  const { host, port } = hostAndPort(target, 22)
  return { type_id: 'ssh', address: host, extended_settings: { port, expected_answer_regex: expected } }
}

/** A greeting of SMTP with STARTTLS. */
function mailTarget(item: Item, talk: readonly Row[], target: string): Target | null {
  const isMail = talk.some((one) => /^(EHLO|HELO)\b/i.test(one.text('send') ?? ''))
  if (!isMail || !/^\^?220/.test(talk[0]?.text('expect') ?? '')) return null
  item.change('Its conversation becomes the greeting of a mail server, without its patterns.')
  const { host, port } = hostAndPort(target, 25)
  const start = talk.some((one) => one.flag('starttls')) ? { start_tls: true } : {}
  return { type_id: 'smtp_helo', address: host, extended_settings: { port, ...start } }
}

export function tcpTarget(_draft: Draft, item: Item, module: Row, target: string): Target {
  const tcp = module.row('tcp')
  const talk = tcp.rows('query_response')
  const known = tcp.flag('tls') ? null : (bannerTarget(talk, target) ?? mailTarget(item, talk, target))
  if (known !== null) return { ...known, type_id: ofProtocol(item, tcp, known.type_id) }
  if (!tcp.flag('tls')) {
    if (talk.length > 0) item.change('Its conversation is left out: the connection is enough.')
    return { type_id: ofProtocol(item, tcp, 'tcp_connect'), address: target }
  }
  const isSimple = talk.length <= 2 && !talk.some((one) => one.flag('starttls'))
  if (!isSimple) item.change('Its conversation is left out.')
  const texts = isSimple
    ? {
        text_to_send: talk.find((one) => one.has('send'))?.text('send'),
        expected_answer_regex: talk.find((one) => one.has('expect'))?.text('expect'),
      }
    : {}
  const settings = { ...tlsOf(item, tcp.row('tls_config')), ...texts }
  return { type_id: ofProtocol(item, tcp, 'tls'), address: target, extended_settings: settings }
}

/** Members without a setting here. A `preferred_ip_protocol` with a way back to the other one says too little. */
const left: readonly string[] = [
  ...['valid_http_versions', 'body_size_limit', 'compression', 'source_ip_address', 'dont_fragment', 'ttl'],
  ...['http_headers', 'body_file'],
]

/** Tells what of the module's prober is not carried. */
export function tellLeftOut(item: Item, module: Row): void {
  const section = module.row(module.text('prober') ?? '')
  const found = left.filter((name) => section.has(name) && section.text(name) !== 'false')
  if (found.length > 0) item.change(`Left out: ${found.join(', ')}.`)
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
