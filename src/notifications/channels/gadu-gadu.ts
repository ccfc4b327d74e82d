import type { Channel } from '../channel.ts'
import { refused } from '../parcel.ts'
import { cutText } from '../plain-text.ts'
import type { GatewayTimeouts } from './http-gateway.ts'
import { gatewayTimeouts, type HttpGateway, sendOverHttp } from './http-message.ts'

/** Characters of a Gadu-Gadu message. */
const longestText = 1989

/** Gadu-Gadu through an HTTP gateway: the network itself has no open way in. */
export function gaduGaduChannel(gateway: HttpGateway, timeouts: GatewayTimeouts = gatewayTimeouts): Channel {
  const sending = { gateway, name: 'Gadu-Gadu', timeouts }
  return {
    id: 'gadu_gadu',
    notificationChannelIds: ['gadu_gadu'],
    concurrency: 4,
    async deliver(message, progress) {
      const to = message.address.trim()
      if (!/^\d{1,15}$/.test(to)) return refused(`${JSON.stringify(message.address)} is not a Gadu-Gadu number`)
      return sendOverHttp(sending, message, { to, text: cutText(message.text, longestText) }, progress)
    },
    close: () => undefined,
  }
}
