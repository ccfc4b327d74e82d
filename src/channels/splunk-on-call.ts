import { cutText } from './cut-text.ts'
import type { Incident } from './delivery.ts'
import { secret, text } from './fields.ts'
import { integration } from './integration.ts'

const vendor = 'https://alert.victorops.com'
const path = '/integrations/generic/20131114/alert'
const keyPattern = '^[\\w-]{8,100}$'
const routePattern = '^[^\\s/?#]{1,100}$'

const longestText = 8000

/** https://help.splunk.com/splunk-observability-cloud/splunk-on-call/integrations-with-splunk-on-call/rest-endpoint-integration-for-splunk-on-call */
export const splunkOnCall = integration({
  id: 'splunk_on_call',
  words: {
    en: { name: 'Splunk On-Call', description: 'An incident that is opened by a failure and recovered by its end.' },
    pl: { name: 'Splunk On-Call', description: 'Incydent, który otwiera awaria, a zamyka jej koniec.' },
  },
  vendor,
  fields: {
    key: secret(
      {
        en: { label: 'API key', description: 'The part of the REST endpoint’s address after /alert/.' },
        pl: { label: 'Klucz API', description: 'Część adresu punktu REST po /alert/.' },
      },
      {
        pattern: keyPattern,
        expected: {
          en: 'Expected letters, digits and hyphens.',
          pl: 'Oczekiwane są litery, cyfry i łączniki.',
        },
      },
    ),
    route: text(
      {
        en: { label: 'Routing key', description: 'It decides who is on call for the incident.' },
        pl: { label: 'Klucz trasy', description: 'Decyduje o tym, kto ma dyżur przy incydencie.' },
      },
      {
        pattern: routePattern,
        expected: {
          en: 'Expected a text without spaces and slashes.',
          pl: 'Oczekiwany jest tekst bez spacji i ukośników.',
        },
      },
    ),
  },
  isIdempotent: true,
  isForPrograms: true,
  acknowledgements: 'incident',
  label: ({ route }) => route,
  detect({ protocol, host, pathname, username, hostname }) {
    const [, ...parts] = pathname
      .split('/')
      .filter((part) => part !== '')
      .slice(2)
    const isVendor = protocol === 'https:' && host === new URL(vendor).host && pathname.startsWith(`${path}/`)
    const isApprise = protocol === 'victorops:' || protocol === 'splunk:'
    const [key = '', route = ''] = isVendor ? parts.slice(1) : [hostname, decodeURIComponent(username)]
    const isRight = new RegExp(keyPattern).test(key) && new RegExp(routePattern).test(route)
    return (isVendor || isApprise) && isRight && !route.startsWith('$') ? { key, route } : null
  },
  request({ subject, text: body, link, key: messageKey, decidedAt, incident, serviceName }, { key, route }) {
    return {
      url: `${vendor}${path}/${key}/${encodeURIComponent(route)}`,
      json: {
        message_type: messageType(incident),
        entity_id: incident?.key ?? messageKey,
        entity_display_name: serviceName ?? cutText(subject, 200),
        state_message: `${cutText(subject, 200)}\n${cutText(body, longestText)}`,
        ...{ timestamp: Math.floor(decidedAt / 1000), monitoring_tool: 'Latarnik' },
        ...(link === null ? {} : { 'vo_annotate.u.Latarnik': link }),
      },
    }
  },
})

function messageType(incident: Incident | undefined): string {
  if (incident === undefined) return 'INFO'
  if (incident.isAcknowledged === true) return 'ACKNOWLEDGEMENT'
  return incident.isOver ? 'RECOVERY' : 'CRITICAL'
}
