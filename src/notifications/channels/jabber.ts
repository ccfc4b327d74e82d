import { type XmlElement, type XmppClient, xml } from '@xmpp/client'
import type { Channel, Message, Outcome, Progress } from '../channel.ts'
import { digest } from '../digest.ts'
import { refused } from '../parcel.ts'
import { cutText } from '../plain-text.ts'
import { answered, type JabberTimeouts, usualJabberTimeouts, type XmppLine, xmppLine } from './xmpp-line.ts'

/** An account at an XMPP server. */
export interface JabberAccount {
  /** `xmpp://host:port` (STARTTLS) or `xmpps://host:port`. */
  readonly service: string
  /** Of the account; the server's certificate must name it. */
  readonly domain: string
  readonly username: string
  readonly password: string
  /** False: the password may go over a connection that is not encrypted, as a digest at least. */
  readonly isTlsRequired: boolean
}

const longestText = 10_000

/** Messages by XMPP. */
export function jabberChannel(account: JabberAccount, timeouts: JabberTimeouts = usualJabberTimeouts): Channel {
  const line = xmppLine(account, timeouts)
  return {
    id: 'jabber',
    notificationChannelIds: ['jabber'],
    concurrency: 8,
    async deliver(message, progress) {
      const to = message.address.trim()
      if (!isJid(to)) return refused(`${JSON.stringify(message.address)} is not a Jabber address`)
      return send(line, { message, to, domain: account.domain, timeouts }, progress)
    },
    close: () => line.close(),
  }
}

/** `user@domain` without a resource, and nothing that could be anything else. */
function isJid(address: string): boolean {
  return address.length <= 1023 && /^[^\s\p{C}@<>"&'/:]+@[^\s\p{C}@<>"&'/:]+$/u.test(address)
}

interface Sending {
  readonly message: Message
  readonly to: string
  readonly domain: string
  readonly timeouts: JabberTimeouts
}

async function send(line: XmppLine, sending: Sending, progress: Progress): Promise<Outcome> {
  let entity: XmppClient
  try {
    entity = await line.entity()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return {
      status: 'failed',
      permanent: false,
      isGatewayDown: true,
      error: `The XMPP server was not reached: ${reason}`,
    }
  }
  try {
    await progress.handOver()
  } catch (error) {
    return { status: 'failed', permanent: false, error: error instanceof Error ? error.message : String(error) }
  }
  return exchange(entity, sending)
}

/**
 * XMPP confirms no message, but a server takes what one client says in its order (RFC 6120, 10.1): when it has answered a ping that
 * was sent after the message, it has taken the message, and what it had to say of a number of its own it has said before.
 */
async function exchange(entity: XmppClient, { message, to, domain, timeouts }: Sending): Promise<Outcome> {
  const id = digest(message.key)
  const refusal = watchFor(entity, id)
  try {
    const text = cutText(message.text, longestText)
    await entity.send(xml('message', { to, id, type: 'chat' }, xml('body', {}, text)))
    await Promise.race([answered(entity, domain, timeouts.answer), refusal.lost])
    return refusal.outcome() ?? { status: 'sent' }
  } catch (error) {
    const reason = error instanceof Error ? error.message || error.name : String(error)
    return refusal.outcome() ?? { status: 'unconfirmed', error: `The XMPP server's answer was not seen: ${reason}` }
  } finally {
    refusal.stop()
  }
}

/** What the server says of one message. */
function watchFor(entity: XmppClient, id: string) {
  let found: Outcome | null = null
  const hear = (stanza: XmlElement) => {
    if (stanza.is('message') && stanza.attrs['type'] === 'error' && stanza.attrs['id'] === id) found = outcomeOf(stanza)
  }
  let hangUp: (error: Error) => void = () => undefined
  const lost = new Promise<never>((_, reject) => {
    hangUp = reject
  })
  lost.catch(() => undefined)
  const disconnected = () => hangUp(new Error('the connection was lost'))
  entity.on('stanza', hear)
  entity.on('disconnect', disconnected)
  return {
    lost,
    outcome: () => found,
    stop() {
      entity.off('stanza', hear)
      entity.off('disconnect', disconnected)
    },
  }
}

/** Nobody there, or never again (RFC 6120, 8.3.3); `service-unavailable` also means somebody who is only away. */
const permanentConditions = ['item-not-found', 'jid-malformed', 'gone', 'forbidden', 'not-acceptable', 'bad-request']

function outcomeOf(stanza: XmlElement): Outcome {
  const error = stanza.getChild('error')
  const condition = error?.getChildElements().find(({ name }) => name !== 'text')?.name ?? 'undefined-condition'
  return {
    status: 'failed',
    permanent: permanentConditions.includes(condition) && error?.attrs['type'] !== 'wait',
    isGatewayDown: false,
    error: `The XMPP server refused the message: ${condition}`,
  }
}
