import { client, type XmppClient, xml } from '@xmpp/client'
import type { JabberAccount } from './jabber.ts'

/** Milliseconds. Together less than a lease (intents.ts). */
export interface JabberTimeouts {
  /** From dialling to the end of the login. */
  readonly login: number
  /** Of each message. */
  readonly answer: number
  /** A line that was silent for longer is tried before a message is trusted to it. */
  readonly silence: number
}

export const usualJabberTimeouts: JabberTimeouts = { login: 30_000, answer: 20_000, silence: 10_000 }

/** Keeps one stream to the server while messages go. */
export interface XmppLine {
  /** The stream, logged in; rejects when there can be none now. */
  entity(): Promise<XmppClient>
  close(): void
}

interface Stream {
  readonly entity: XmppClient
  usedAt: number
}

export function xmppLine(account: JabberAccount, timeouts: JabberTimeouts): XmppLine {
  let current: Promise<Stream> | null = null

  async function begin(): Promise<Stream> {
    const entity = newEntity(account, timeouts)
    const forget = () => {
      current = null
    }
    entity.once('disconnect', forget)
    await login(entity, account, timeouts.login)
    return { entity, usedAt: performance.now() }
  }

  function stream(): Promise<Stream> {
    if (current === null) {
      const beginning = begin()
      current = beginning
      beginning.catch(() => {
        if (current === beginning) current = null
      })
    }
    return current
  }

  async function entity(): Promise<XmppClient> {
    const found = await stream()
    const isStale = performance.now() - found.usedAt > timeouts.silence
    found.usedAt = performance.now()
    if (!isStale || (await isThere(found.entity, account.domain, timeouts))) return found.entity
    drop(found.entity)
    current = null
    return (await stream()).entity
  }
  return {
    entity,
    close() {
      current?.then(({ entity }) => drop(entity)).catch(() => undefined)
      current = null
    },
  }
}

function newEntity({ service, domain, username, password, isTlsRequired }: JabberAccount, timeouts: JabberTimeouts) {
  const entity: XmppClient = client({
    service,
    domain,
    resource: 'latarnik',
    timeout: timeouts.login,
    async credentials(authenticate, mechanisms) {
      const isSecure = entity.isSecure()
      if (!isSecure && isTlsRequired) throw new Error('it offers no TLS')
      // Without TLS the password itself never leaves.
      const mechanism = isSecure ? mechanisms[0] : mechanisms.find((one) => one !== 'PLAIN')
      if (mechanism === undefined) throw new Error('it offers no login that we know')
      await authenticate({ username, password }, mechanism)
    },
  })
  // A stream is begun anew when there is a message for it; and someone must always listen, or an error would end the program.
  entity.reconnect.stop()
  entity.on('error', () => undefined)
  return entity
}

async function login(entity: XmppClient, { service, domain }: JabberAccount, patience: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const failed = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('it did not answer in time')), patience)
    entity.once('error', reject)
    entity.once('disconnect', () => reject(new Error('it hung up')))
  })
  const online = new Promise<void>((resolve) => entity.once('online', () => resolve()))
  const opened = entity.connect(service).then(() => entity.open({ domain }))
  for (const promise of [failed, opened]) promise.catch(() => undefined)
  try {
    await Promise.race([failed, opened])
    await Promise.race([failed, online])
  } catch (error) {
    drop(entity)
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** Resolves when the server has answered a ping; "I know no ping" is an answer too. */
export async function answered(entity: XmppClient, domain: string, patience: number): Promise<void> {
  const ping = xml('iq', { type: 'get', to: domain }, xml('ping', { xmlns: 'urn:xmpp:ping' }))
  await entity.iqCaller.request(ping, patience).catch((error: unknown) => {
    if (!(error instanceof Error && error.name === 'StanzaError')) throw error
  })
}

function isThere(entity: XmppClient, domain: string, { answer }: JabberTimeouts): Promise<boolean> {
  return answered(entity, domain, answer).then(
    () => true,
    () => false,
  )
}

/** Says good-bye and hangs up, also on a server that does not answer. */
function drop(entity: XmppClient): void {
  const { socket } = entity
  const hangUp = () => (socket?.socket ?? socket)?.destroy?.()
  const timer = setTimeout(hangUp, 1000)
  timer.unref()
  entity
    .stop()
    .catch(() => undefined)
    .finally(() => {
      clearTimeout(timer)
      hangUp()
    })
}
