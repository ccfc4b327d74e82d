import { oneLine } from '../../domain/one-line.ts'
import { asSms } from '../../domain/sms-text.ts'
import type { Timeouts } from '../../outgoing/exchange.ts'
import { refused, type Transport } from '../delivery.ts'
import { gatewayTimeouts, type HttpGateway, sendOverHttp } from '../http/gateway.ts'

/** The options for turning a text into an SMS. */
export interface SmsForm {
  readonly isTransliterated: boolean
  /** Longer texts are cut. */
  readonly mostParts: number
}

/** The number without separators that people write; null if it is not a number. */
export function telephoneNumber(address: string): string | null {
  const number = address.replace(/[ -]/g, '')
  return /^\+?\d{6,20}$/.test(number) ? number : null
}

export function smsText(text: string, { isTransliterated, mostParts }: SmsForm): string {
  return asSms(oneLine(text, 2000), isTransliterated, mostParts)
}

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
      return sendOverHttp(sending, message, { to, text: smsText(message.text, form) }, progress)
    },
    close: () => undefined,
  }
}
