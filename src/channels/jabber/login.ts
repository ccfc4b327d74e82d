import { type Element, escapeXML } from 'ltx'
import { newScram, type ScramMechanism, scramHashes } from '../../outgoing/scram.ts'
import { conditionOf } from './reader.ts'
import { dial, type XmppServer, type XmppStream } from './stream.ts'

/** An account at an XMPP server. `domain` is the account's; the server's certificate must name it. */
export interface JabberAccount extends XmppServer {
  readonly username: string
  readonly password: string
  /** False: the password may go over an unencrypted connection, but only as a digest. */
  readonly isTlsRequired: boolean
}

const namespaces = {
  client: 'jabber:client',
  stream: 'http://etherx.jabber.org/streams',
  tls: 'urn:ietf:params:xml:ns:xmpp-tls',
  sasl: 'urn:ietf:params:xml:ns:xmpp-sasl',
  bind: 'urn:ietf:params:xml:ns:xmpp-bind',
} as const

/** Opens a stream and logs in within `patience` milliseconds. Rejects with a reason that needs no stack. */
export async function login(account: JabberAccount, patience: number): Promise<XmppStream> {
  const { stream, connected } = dial(account)
  const timer = setTimeout(() => stream.end(new Error('it did not answer in time')), patience)
  try {
    await connected
    await negotiate(stream, account)
    return stream
  } catch (error) {
    const reason = error instanceof Error ? error : new Error(String(error))
    stream.end(reason)
    throw reason
  } finally {
    clearTimeout(timer)
  }
}

async function negotiate(stream: XmppStream, account: JabberAccount): Promise<void> {
  let features = await open(stream, account.domain)
  if (!stream.isSecure() && features.getChild('starttls', namespaces.tls) !== undefined) {
    const answer = stream.next(({ name }) => name === 'proceed' || name === 'failure')
    stream.write(`<starttls xmlns='${namespaces.tls}'/>`)
    if ((await answer).name === 'failure') throw new Error('it refuses TLS')
    await stream.secure(account.domain)
    features = await open(stream, account.domain)
  }
  if (!stream.isSecure() && account.isTlsRequired) throw new Error('it offers no TLS')
  await authenticate(stream, account, features)
  stream.restart()
  await open(stream, account.domain)
  await bind(stream)
}

async function open(stream: XmppStream, domain: string): Promise<Element> {
  const features = stream.next((element) => element.is('features', namespaces.stream))
  stream.write(
    `<?xml version='1.0'?><stream:stream to='${escapeXML(domain)}' version='1.0' xmlns='${namespaces.client}' xmlns:stream='${namespaces.stream}'>`,
  )
  return features
}

async function authenticate(stream: XmppStream, account: JabberAccount, features: Element): Promise<void> {
  const offered = features.getChild('mechanisms', namespaces.sasl)?.getChildElements() ?? []
  const names = new Set(offered.map((mechanism) => mechanism.getText()))
  const scram = (Object.keys(scramHashes) as ScramMechanism[]).find((name) => names.has(name))
  if (scram !== undefined) return withScram(stream, account, scram)
  // Without TLS the password itself is never sent.
  if (!names.has('PLAIN') || !stream.isSecure()) throw new Error('it offers no login that we use')
  const { username, password } = account
  const answer = outcome(stream)
  stream.write(auth('PLAIN', `\0${username}\0${password}`))
  await answer
}

async function withScram(stream: XmppStream, account: JabberAccount, mechanism: ScramMechanism): Promise<void> {
  const scram = newScram(mechanism, account.username, account.password)
  const challenged = outcome(stream)
  stream.write(auth(mechanism, scram.first))
  const proof = await scram.proof(await challenged)
  const ended = outcome(stream)
  stream.write(`<response xmlns='${namespaces.sasl}'>${encoded(proof)}</response>`)
  if (!scram.isServerRight(await ended)) throw new Error('it does not know the password')
}

function auth(mechanism: string, text: string): string {
  return `<auth xmlns='${namespaces.sasl}' mechanism='${mechanism}'>${encoded(text)}</auth>`
}

function encoded(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64')
}

/** The result of a login step: the text of a challenge or of a success. */
async function outcome(stream: XmppStream): Promise<string> {
  const element = await stream.next((one) => ['challenge', 'success', 'failure'].includes(one.name))
  if (element.name === 'failure') throw new Error(`it refused the login: ${conditionOf(element)}`)
  return Buffer.from(element.getText(), 'base64').toString('utf8')
}

async function bind(stream: XmppStream): Promise<void> {
  const answer = stream.next(({ name, attrs }) => name === 'iq' && attrs['id'] === 'bind')
  stream.write(`<iq type='set' id='bind'><bind xmlns='${namespaces.bind}'/></iq>`)
  if ((await answer).attrs['type'] !== 'result') throw new Error('it refused the session')
}
