import type { Pdu, Session } from 'smpp'
import { gsm7Octets, smsParts } from '../../domain/notification/sms-text.ts'
import { errorText } from '../../domain/text/error-text.ts'
import { type DeliveryOutcome, gatewayDown, type Message, type Progress, refused, type Transport } from '../delivery.ts'
import { digest } from '../digest.ts'
import { type Bond, type SmppAccount, type SmppTimeouts, smppBond, usualSmppTimeouts } from './smpp-bond.ts'
import { describedStatus, isAboutMessage, isPermanentStatus } from './smpp-status.ts'
import { type SmsForm, smsText, telephoneNumber } from './sms-over-http.ts'

/** SMS through a message centre (SMPP 3.4). */
export function smsOverSmpp(
  account: SmppAccount,
  form: SmsForm,
  timeouts: SmppTimeouts = usualSmppTimeouts,
): Transport {
  const bond = smppBond(account, timeouts)
  return {
    id: 'sms',
    notificationChannelIds: ['sms'],
    concurrency: 8,
    async deliver(message, progress) {
      const to = telephoneNumber(message.address)
      if (to === null) return refused(`${JSON.stringify(message.address)} is not a telephone number`)
      const submissions = submissionsOf(account, message, to, smsText(message, form))
      return submitAll(bond, submissions, progress, timeouts.answer)
    },
    close: () => bond.close(),
  }
}

async function submitAll(
  bond: Bond,
  submissions: readonly object[],
  progress: Progress,
  patience: number,
): Promise<DeliveryOutcome> {
  let session: Session
  try {
    session = await bond.session()
  } catch (error) {
    return gatewayDown(`The message centre was not reached: ${errorText(error)}`)
  }
  try {
    await progress.handOver()
  } catch (error) {
    return { status: 'failed', permanent: false, error: errorText(error) }
  }
  if (session.socket.destroyed) return gatewayDown('The message centre hung up')
  for (const [index, submission] of submissions.entries()) {
    const answer = await submit(session, submission, patience)
    const outcome = outcomeOf(answer, index, submissions.length)
    if (outcome !== null) return outcome
  }
  return { status: 'sent' }
}

type Answer = { readonly status: number } | { readonly silence: string }

function submit(session: Session, submission: object, patience: number): Promise<Answer> {
  return new Promise((resolve) => {
    const end = (answer: Answer) => {
      clearTimeout(timer)
      session.off('close', lost)
      resolve(answer)
    }
    const lost = () => end({ silence: 'the connection was lost' })
    const timer = setTimeout(() => {
      // The connection is closed because the centre did not answer.
      session.destroy()
      end({ silence: 'the message centre took too long' })
    }, patience)
    session.once('close', lost)
    const isWritten = session.submit_sm(submission, (answer: Pdu) => end({ status: answer.command_status }))
    if (!isWritten) end({ silence: 'the connection was lost' })
  })
}

/**
 * Null: this part was accepted. After one part nothing is sent again, because half a text twice is worse than half a
 * text.
 */
function outcomeOf(answer: Answer, index: number, count: number): DeliveryOutcome | null {
  const part = count === 1 ? '' : ` (part ${index + 1} of ${count})`
  if ('silence' in answer) {
    return { status: 'unconfirmed', error: `The message centre's answer was not seen${part}: ${answer.silence}` }
  }
  const { status } = answer
  if (status === 0) return null
  const error = `The message centre answered ${describedStatus(status)}${part}`
  if (index > 0) return { status: 'unconfirmed', error }
  return { status: 'failed', permanent: isPermanentStatus(status), isGatewayDown: !isAboutMessage(status), error }
}

const longestShortMessage = 254

/** GSM 7 as the centre's default alphabet, one septet per octet; UCS-2 otherwise. */
function submissionsOf(account: SmppAccount, message: Message, to: string, text: string): readonly object[] {
  const { alphabet, parts } = smsParts(text)
  const encoded = (part: string) =>
    alphabet === 'gsm7' ? Buffer.from(gsm7Octets(part)) : Buffer.from(part, 'utf16le').swap16()
  const common = {
    ...addressed('source', account.sender),
    ...addressed('dest', to),
    data_coding: alphabet === 'gsm7' ? 0 : 8,
  }
  if (parts.length === 1) return [{ ...common, short_message: encoded(text) }]
  if (account.longMessages === 'payload') {
    return [{ ...common, short_message: Buffer.alloc(0), message_payload: encoded(text) }]
  }
  const reference = Number.parseInt(digest(message.key).slice(0, 2), 16)
  return parts.map((part, index) => {
    const header = Buffer.from([5, 0, 3, reference, parts.length, index + 1])
    const content = Buffer.concat([header, encoded(part)])
    if (content.length > longestShortMessage) throw new Error('a part of an SMS is too long')
    return { ...common, esm_class: udhIndicator, short_message: content }
  })
}

const udhIndicator = 0x40

/** Numbering: international, of a network (short codes), or letters. */
function addressed(end: 'source' | 'dest', address: string): Readonly<Record<string, string | number>> {
  const digits = address.replace(/^\+/, '')
  const kind = /^\d+$/.test(digits)
    ? { ton: digits.length > 6 ? 1 : 3, npi: digits.length > 6 ? 1 : 0 }
    : { ton: address === '' ? 0 : 5, npi: 0 }
  const name = end === 'source' ? 'source_addr' : 'dest_addr'
  const field = end === 'source' ? 'source_addr' : 'destination_addr'
  return { [`${name}_ton`]: kind.ton, [`${name}_npi`]: kind.npi, [field]: /^\d+$/.test(digits) ? digits : address }
}
