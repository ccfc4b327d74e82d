import { createRequire } from 'node:module'
import type { Pdu, Session } from 'smpp'
import { errorText } from '../../domain/text/error-text.ts'
import { describedStatus } from './smpp-status.ts'

/** Loaded by the first message: an installation without a message centre keeps its memory. */
const smpp = (): typeof import('smpp') => createRequire(import.meta.url)('smpp')

/** An account at a message centre (SMSC). */
export interface SmppAccount {
  readonly host: string
  readonly port: number
  readonly isTls: boolean
  readonly systemId: string
  readonly password: string
  /** A number or up to eleven letters. Empty: the centre's own. */
  readonly sender: string
  /** The form of a long text: one message per part, or a single one that the centre splits. */
  readonly longMessages: 'udh' | 'payload'
}

/** Milliseconds. Together less than a lease (intents.ts). */
export interface SmppTimeouts {
  /** From dialling to the end of the login. */
  readonly bind: number
  /** Per message. */
  readonly answer: number
  /** Between two tests whether the other end is there. */
  readonly enquiry: number
}

export const usualSmppTimeouts: SmppTimeouts = { bind: 15_000, answer: 20_000, enquiry: 30_000 }

/** Keeps one session with the message centre while messages are sent. */
export interface Bond {
  /** The session, logged in; rejects if none can be opened now. */
  session(): Promise<Session>
  close(): void
}

export function smppBond(account: SmppAccount, timeouts: SmppTimeouts): Bond {
  let current: Promise<Session> | null = null
  let open: Session | null = null

  async function begin(): Promise<Session> {
    const session = smpp().connect({ host: account.host, port: account.port, tls: account.isTls })
    open = session
    // Each waiting message listens for the end.
    session.setMaxListeners(0)
    session.once('close', () => {
      if (open !== session) return
      open = null
      current = null
    })
    await bound(session, account, timeouts.bind)
    attend(session, timeouts)
    return session
  }
  return {
    session() {
      // A closed socket reports its end only in the next turn.
      if (current === null || open === null || open.socket.destroyed) {
        const beginning = begin()
        current = beginning
        beginning.catch(() => {
          if (current === beginning) current = null
        })
      }
      return current
    },
    close() {
      const session = open
      current = null
      open = null
      if (session === null || session.socket.destroyed) return
      session.unbind({}, () => session.destroy())
      session.close()
      setTimeout(() => session.destroy(), 1000).unref()
    },
  }
}

function bound(session: Session, { systemId, password }: SmppAccount, patience: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => {
      session.destroy()
      clearTimeout(timer)
      reject(new Error(reason))
    }
    const timer = setTimeout(() => fail('it did not answer in time'), patience)
    // A listener must always exist, because an unhandled error would end the program.
    session.on('error', (error: Error) => fail(errorText(error)))
    session.once('close', () => fail('it hung up'))
    const login = () =>
      session.bind_transceiver({ system_id: systemId, password, interface_version: 0x34 }, ({ command_status }) => {
        if (command_status !== 0) return fail(`it refused the login: ${describedStatus(command_status)}`)
        clearTimeout(timer)
        resolve()
      })
    session.once('connect', () => {
      if (!('encrypted' in session.socket)) login()
    })
    session.once('secureConnect', login)
  })
}

/** Answers the centre's requests, and notices when it is gone. */
function attend(session: Session, { enquiry, answer }: SmppTimeouts): void {
  for (const question of ['enquire_link', 'deliver_sm', 'data_sm', 'unbind', 'unknown']) {
    session.on(question, (pdu: Pdu) => {
      session.send(pdu.response())
      if (question === 'unbind') session.close()
    })
  }
  let overdue: NodeJS.Timeout | undefined
  const asking = setInterval(() => {
    clearTimeout(overdue)
    overdue = setTimeout(() => session.destroy(), Math.min(answer, enquiry))
    session.enquire_link({}, () => clearTimeout(overdue))
  }, enquiry)
  asking.unref()
  session.once('close', () => {
    clearInterval(asking)
    clearTimeout(overdue)
  })
}
