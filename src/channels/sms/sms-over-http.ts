import { asSms } from '../../domain/notification/sms-text.ts'
import { oneLine } from '../../domain/text/one-line.ts'
import type { Timeouts } from '../../outgoing/exchange.ts'
import { type Message, refused, type Transport } from '../delivery.ts'
import { gatewayTimeouts, type HttpGateway, sendOverHttp } from '../http/gateway.ts'

/** The options for turning a text into an SMS. */
export interface SmsForm {
  readonly isTransliterated: boolean
  /** Longer texts are cut. */
  readonly mostParts: number
  /** The link that acknowledges the failure follows the text where all of it fits. Default: no link. */
  readonly hasLink?: boolean
}

/** The number without separators that people write; null if it is not a number. */
export function telephoneNumber(address: string): string | null {
  const number = address.replace(/[ -]/g, '')
  return /^\+?\d{6,20}$/.test(number) ? number : null
}

export function smsText({ text, acknowledgeLink: link = null }: SmsContent, form: SmsForm): string {
  const line = oneLine(text, 2000)
  const alone = asSms(line, form.isTransliterated, form.mostParts)
  // A template may have put the link into the text.
  if (form.hasLink !== true || link === null || line.includes(link)) return alone
  const linked = asSms(`${line} ${link}`, form.isTransliterated, form.mostParts)
  return linked.endsWith(` ${link}`) ? linked : alone
}

type SmsContent = Pick<Message, 'text' | 'acknowledgeLink'>

/** SMS through an HTTP gateway. */
export function smsOverHttp(gateway: HttpGateway, form: SmsForm, timeouts: Timeouts = gatewayTimeouts): Transport {
  const sending = { gateway, name: 'SMS', timeouts }
  return {
    id: 'sms',
    notificationChannelIds: ['sms'],
    concurrency: 4,
    async deliver(message, progress) {
      const to = telephoneNumber(message.address)
      if (to === null) return refused(`${JSON.stringify(message.address)} is not a telephone number`)
      return sendOverHttp(sending, message, { to, text: smsText(message, form) }, progress)
    },
    close: () => undefined,
  }
}
