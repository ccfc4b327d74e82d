import type { Timeouts } from '../outgoing/exchange.ts'
import { cutText } from './cut-text.ts'
import { gateway } from './declare.ts'
import { refused, type Transport } from './delivery.ts'
import { gatewayTimeouts, type HttpGateway, hostOf, sendOverHttp } from './http/gateway.ts'
import { gatewayContradictions, gatewayValues, httpGatewayOf, httpGatewayVariables } from './http/variables.ts'
import { rateVariable } from './rate-variable.ts'

/** The limit of a Gadu-Gadu message in characters. */
const longestText = 1989

const prefix = 'GADU_GADU_GATEWAY'

export const gaduGadu = gateway({
  id: 'gadu_gadu',
  name: 'Gadu-Gadu',
  channels: [
    {
      id: 'gadu_gadu',
      words: {
        en: { name: 'Gadu-Gadu', description: 'A Gadu-Gadu message.' },
        pl: { name: 'Gadu-Gadu', description: 'Wiadomość Gadu-Gadu.' },
      },
      address: {
        pattern: /^[0-9]{1,15}$/,
        expected: {
          en: 'Expected the number of an account: 1 to 15 digits.',
          pl: 'Oczekiwany jest numer konta: 1 do 15 cyfr.',
        },
      },
      style: 'text',
    },
  ],
  variables: {
    ...httpGatewayVariables(prefix, 'Gadu-Gadu'),
    GADU_GADU_RATE: rateVariable('messages by Gadu-Gadu'),
  },
  needs: 'GADU_GADU_GATEWAY_URL',
  contradictions: (values) => gatewayContradictions(prefix, gatewayValues(prefix, values)),
  connect(values) {
    const found = httpGatewayOf(gatewayValues(prefix, values))
    return found === undefined ? null : { goesTo: hostOf(found), settings: found, open: () => gaduGaduTransport(found) }
  },
  perMinute: ({ GADU_GADU_RATE }) => GADU_GADU_RATE,
})

/** Gadu-Gadu through an HTTP gateway, because the network has no public interface. */
export function gaduGaduTransport(gateway: HttpGateway, timeouts: Timeouts = gatewayTimeouts): Transport {
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
