import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer, type Pdu, type Session } from 'smpp'
import type { SmppAccount } from '../../src/channels/sms/smpp-bond.ts'

export interface Submission {
  readonly to: string
  readonly toTon: number
  readonly from: string
  readonly fromTon: number
  readonly dataCoding: number
  /** As the package's own decoder reads it. */
  readonly text: string
  /** Reference, parts in all, number of this one; null for a text of one part. */
  readonly part: readonly number[] | null
  readonly isPayload: boolean
}

/** The centre's reaction to the next sessions and submissions. */
export interface CentreManners {
  /** Status of the login; null for no answer. Usually 0. */
  bind?: (() => number | null) | undefined
  /** Status of the answer; null for none. Usually 0. */
  answer?: ((submission: Submission, session: Session) => number | null) | undefined
  /** It answers no enquiry whether it is there. */
  isDeaf?: boolean
}

/** A real SMPP server on 127.0.0.1 that keeps what it is given. */
export interface TestCentre {
  readonly account: SmppAccount
  readonly submissions: Submission[]
  readonly manners: CentreManners
  /** Open now. */
  readonly sessions: Set<Session>
  binds(): number
  enquiries(): number
  stop(): Promise<void>
}

interface Content {
  readonly message: string
  readonly udh?: readonly Buffer[]
}

function submissionOf(pdu: Pdu): Submission {
  const payload = pdu['message_payload'] as Content | undefined
  const { message, udh } = payload ?? (pdu['short_message'] as Content)
  return {
    to: String(pdu['destination_addr']),
    toTon: Number(pdu['dest_addr_ton']),
    from: String(pdu['source_addr']),
    fromTon: Number(pdu['source_addr_ton']),
    dataCoding: Number(pdu['data_coding']),
    text: message,
    part: udh?.[0] === undefined ? null : [...udh[0].subarray(2)],
    isPayload: payload !== undefined,
  }
}

const credentials = { systemId: 'latarnik', password: 'secret' }

export async function startMessageCentre(): Promise<TestCentre> {
  const submissions: Submission[] = []
  const manners: CentreManners = {}
  const sessions = new Set<Session>()
  let [binds, enquiries] = [0, 0]
  const server = createServer((session) => {
    sessions.add(session)
    session.on('error', () => undefined)
    session.on('close', () => sessions.delete(session))
    session.on('bind_transceiver', (pdu: Pdu) => {
      binds += 1
      const isRight = pdu['system_id'] === credentials.systemId && pdu['password'] === credentials.password
      const status = manners.bind === undefined ? (isRight ? 0 : 0x0e) : manners.bind()
      if (status !== null) session.send(pdu.response({ command_status: status }))
    })
    session.on('submit_sm', (pdu: Pdu) => {
      const submission = submissionOf(pdu)
      const status = manners.answer === undefined ? 0 : manners.answer(submission, session)
      if (status === 0 || status === null) submissions.push(submission)
      if (status !== null) session.send(pdu.response({ command_status: status, message_id: `${submissions.length}` }))
    })
    session.on('enquire_link', (pdu: Pdu) => {
      enquiries += 1
      if (manners.isDeaf !== true) session.send(pdu.response())
    })
    session.on('unbind', (pdu: Pdu) => {
      session.send(pdu.response())
      session.close()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    account: {
      ...{ host: '127.0.0.1', port: (server.address() as AddressInfo).port, isTls: false, ...credentials },
      ...{ sender: 'Latarnik', longMessages: 'udh' },
    },
    submissions,
    manners,
    sessions,
    binds: () => binds,
    enquiries: () => enquiries,
    async stop() {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      for (const session of sessions) session.destroy()
      await closed
    },
  }
}
