import { type Element, escapeXMLText } from 'ltx'
import { isJabberAddress } from '../../domain/notification/jabber-address.ts'
import { errorText } from '../../domain/text/error-text.ts'
import { cutText } from '../cut-text.ts'
import { type DeliveryOutcome, gatewayDown, type Message, type Progress, refused, type Transport } from '../delivery.ts'
import { digest } from '../digest.ts'
import { answered, type JabberTimeouts, type XmppLine, xmppLine } from './line.ts'
import type { JabberAccount } from './login.ts'
import { conditionOf } from './reader.ts'
import type { XmppStream } from './stream.ts'

const usualTimeouts: JabberTimeouts = { login: 30_000, answer: 20_000, silence: 10_000 }
const longestText = 10_000

/** Sends messages through XMPP. */
export function jabberTransport(account: JabberAccount, timeouts: JabberTimeouts = usualTimeouts): Transport {
  const line = xmppLine(account, timeouts)
  return {
    id: 'jabber',
    notificationChannelIds: ['jabber'],
    concurrency: 8,
    async deliver(message, progress) {
      const to = message.address.trim()
      if (!isJabberAddress(to)) return refused(`${JSON.stringify(message.address)} is not a Jabber address`)
      return send(line, { message, to, domain: account.domain, patience: timeouts.answer }, progress)
    },
    close: () => line.close(),
  }
}

interface Sending {
  readonly message: Message
  readonly to: string
  readonly domain: string
  readonly patience: number
}

async function send(line: XmppLine, sending: Sending, progress: Progress): Promise<DeliveryOutcome> {
  let stream: XmppStream
  try {
    stream = await line.stream()
  } catch (error) {
    return gatewayDown(`The XMPP server was not reached: ${errorText(error)}`)
  }
  try {
    await progress.handOver()
  } catch (error) {
    return { status: 'failed', permanent: false, error: errorText(error) }
  }
  const end = stream.ended()
  return end === null ? exchange(stream, sending) : gatewayDown(`The XMPP server was not reached: ${end.message}`)
}

/**
 * XMPP confirms no message, but a server processes one client's stanzas in order (RFC 6120, 10.1). An answer to a ping
 * that was sent after the message means that the server has accepted the message. It has also reported any error about
 * its own addresses before.
 */
async function exchange(stream: XmppStream, { message, to, domain, patience }: Sending): Promise<DeliveryOutcome> {
  const id = digest(message.key)
  let refusal: DeliveryOutcome | null = null
  const stopListening = stream.listen((element) => {
    const { type, id: ofMessage } = element.attrs
    if (element.name === 'message' && type === 'error' && ofMessage === id) refusal = refusalOf(element)
  })
  try {
    const body = escapeXMLText(withoutNoncharacters(cutText(message.text, longestText)))
    stream.write(`<message to='${to}' id='${id}' type='chat'><body>${body}</body></message>`)
    await answered(stream, domain, patience)
    return refusal ?? { status: 'sent' }
  } catch (error) {
    return refusal ?? { status: 'unconfirmed', error: `The XMPP server's answer was not seen: ${errorText(error)}` }
  } finally {
    stopListening()
  }
}

/** XML does not allow these characters. */
function withoutNoncharacters(text: string): string {
  return text.replace(/[\ufffe\uffff\p{Cs}]/gu, '\ufffd')
}

/** Nobody is there now or later (RFC 6120, 8.3.3); `service-unavailable` also means a person who is only away. */
const permanentConditions = ['item-not-found', 'jid-malformed', 'gone', 'forbidden', 'not-acceptable', 'bad-request']

function refusalOf(stanza: Element): DeliveryOutcome {
  const error = stanza.getChild('error')
  const condition = conditionOf(error)
  return {
    status: 'failed',
    permanent: permanentConditions.includes(condition) && error?.attrs['type'] !== 'wait',
    isGatewayDown: false,
    error: `The XMPP server refused the message: ${condition}`,
  }
}
