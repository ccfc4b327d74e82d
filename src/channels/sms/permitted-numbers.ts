import { refused, type Transport } from '../delivery.ts'
import { telephoneNumber } from './sms-over-http.ts'

/**
 * Sends nothing to other numbers than those that begin with one of the prefixes: whoever may register could have
 * messages sent to numbers that pay them. Undefined: to all.
 */
export function onlyTo(prefixes: readonly string[] | undefined, transport: Transport): Transport {
  if (prefixes === undefined) return transport
  return {
    ...transport,
    async deliver(message, progress) {
      const digits = telephoneNumber(message.address)?.replace(/^(\+|00)/, '') ?? ''
      if (prefixes.some((prefix) => digits.startsWith(prefix))) return await transport.deliver(message, progress)
      const shown = prefixes.map((prefix) => `+${prefix}`).join(', ')
      return refused(`Messages go only to numbers that begin with ${shown}, written with the code of the country`)
    },
  }
}
