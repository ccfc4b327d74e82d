import { escapeXML } from 'ltx'
import type { JabberAccount } from './login.ts'
import { login } from './login.ts'
import type { XmppStream } from './stream.ts'

/** Milliseconds. Together less than a lease (intents.ts). */
export interface JabberTimeouts {
  /** From dialling to the end of the login. */
  readonly login: number
  /** Per message. */
  readonly answer: number
  /** A stream that was silent for longer is tested before a message is sent through it. */
  readonly silence: number
}

/** Keeps one stream to the server while messages are sent. */
export interface XmppLine {
  /** The stream, logged in; rejects if none can be opened now. */
  stream(): Promise<XmppStream>
  close(): void
}

interface Kept {
  readonly stream: XmppStream
  usedAt: number
}

export function xmppLine(account: JabberAccount, timeouts: JabberTimeouts): XmppLine {
  let current: Promise<Kept> | null = null

  function kept(): Promise<Kept> {
    if (current === null) {
      const beginning = login(account, timeouts.login).then((stream) => ({ stream, usedAt: performance.now() }))
      const forget = () => {
        if (current === beginning) current = null
      }
      current = beginning
      beginning.then(({ stream }) => stream.onEnd(forget), forget)
    }
    return current
  }
  return {
    async stream() {
      const found = await kept()
      const isStale = performance.now() - found.usedAt > timeouts.silence
      found.usedAt = performance.now()
      if (!isStale) return found.stream
      const isThere = await answered(found.stream, account.domain, timeouts.answer).then(
        () => true,
        () => false,
      )
      if (isThere) return found.stream
      found.stream.end(new Error('it fell silent'))
      return (await kept()).stream
    },
    close() {
      current?.then(
        ({ stream }) => {
          stream.write('</stream:stream>')
          stream.end(new Error('the channel was closed'))
        },
        () => undefined,
      )
      current = null
    },
  }
}

let pings = 0

/** Resolves when the server has answered a ping; an error for an unknown ping is an answer too. */
export async function answered(stream: XmppStream, domain: string, patience: number): Promise<void> {
  pings += 1
  const id = `ping-${pings}`
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('it did not answer in time')), patience)
  })
  const answer = stream.next(({ name, attrs }) => name === 'iq' && attrs['id'] === id)
  // The race below gets its error; an answer that never comes ends with its timer.
  answer.catch(() => undefined)
  stream.write(`<iq type='get' id='${id}' to='${escapeXML(domain)}'><ping xmlns='urn:xmpp:ping'/></iq>`)
  try {
    await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
