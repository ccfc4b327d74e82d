import { type Asked, ofProtocol, type Target } from './blackbox-parts.ts'
import { dataPattern } from './dns-records.ts'
import type { Item } from './draft.ts'
import type { Members } from './drawn.ts'
import type { Row } from './row.ts'

/** Modules of blackbox_exporter that ask a name server. */

/** Rules for records of answers: each is a list of patterns for the whole record. */
const rules = ['fail_if_none_matches_regexp', 'fail_if_not_matches_regexp'] as const

/** The first pattern that the data of the answers can be held to; everything else is told. */
function answerPattern(item: Item, answers: Row, name: string, type: string): Members {
  let found: Members = {}
  for (const rule of rules) {
    for (const pattern of answers.texts(rule)) {
      const told = `${rule}: ${pattern}`
      const own = dataPattern(pattern, name, type)
      if (own === null) item.change(`Left out: ${told}. A check sees the data of records alone.`)
      else if (found['expected_answer_regex'] !== undefined) item.change(`Left out: ${told}. A check has one pattern.`)
      else {
        found = { expected_answer_regex: own }
        if (rule === 'fail_if_not_matches_regexp')
          item.change('One record that matches is enough; there every record had to.')
      }
    }
  }
  const others = answers.unread()
  if (others.length > 0) item.change(`Left out of validate_answer_rrs: ${others.join(', ')}.`)
  return found
}

export function dnsTarget(asked: Asked): Target | string {
  const { item, section: dns, target } = asked
  if (dns.flag('dns_over_tls')) return 'Latarnik asks no DNS over TLS.'
  if ((dns.text('query_class') ?? 'IN') !== 'IN') return 'Latarnik asks for records of the class IN alone.'
  const [, host = target, port = ''] = /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(target) ?? []
  const [code = null, ...more] = dns.texts('valid_rcodes')
  if (more.length > 0) item.change(`Only ${code} is expected of its response codes.`)
  const wanted = dns.text('query_type') ?? 'ANY'
  if (wanted === 'ANY') item.change('It asks for records of type A; there it asked for any.')
  const [name, type] = [dns.text('query_name')?.replace(/\.$/, '') ?? '', wanted === 'ANY' ? 'A' : wanted]
  return {
    type_id: ofProtocol(asked, 'dns'),
    address: host,
    extended_settings: {
      ...{ query_name: name, query_type: type },
      ...{ transport: dns.text('transport_protocol')?.toLowerCase(), expected_rcode: code },
      ...(dns.flag('recursion_desired', true) ? {} : { recursion_desired: false }),
      ...(port === '' ? {} : { port: Number(port) }),
      ...answerPattern(item, dns.row('validate_answer_rrs'), name, type),
    },
  }
}
