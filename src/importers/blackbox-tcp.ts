import { escapedText } from '../domain/text/escaped-bytes.ts'
import { type Asked, linePattern, ofProtocol, shortTalk, type Target, tlsOf } from './blackbox-parts.ts'
import type { Item } from './draft.ts'
import type { Row } from './row.ts'

/** Modules of blackbox_exporter that talk over TCP: a connection, TLS, a banner of SSH, a greeting of SMTP. */

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

export function tcpTarget(asked: Asked): Target {
  const { item, section, target } = asked
  const [talk, isTls] = [section.rows('query_response'), section.flag('tls')]
  const tls = tlsOf(item, section.row('tls_config'))
  const known = isTls ? null : (bannerTarget(talk, target) ?? mailTarget(item, talk, target))
  if (known !== null) return { ...known, type_id: ofProtocol(asked, known.type_id) }
  if (!isTls) {
    if (talk.length > 0) item.change('Its conversation is left out: the connection is enough.')
    return { type_id: ofProtocol(asked, 'tcp_connect'), address: target }
  }
  const short = shortTalk(talk)
  if (short === null) item.change('Its conversation is left out.')
  const { sent, expected } = short ?? { sent: null, expected: null }
  const texts = {
    // The exporter ends each line that it sends.
    text_to_send: sent === null ? null : escapedText(`${sent}\n`),
    expected_answer_regex: expected === null ? null : linePattern(expected),
  }
  return { type_id: ofProtocol(asked, 'tls'), address: target, extended_settings: { ...tls, ...texts } }
}
