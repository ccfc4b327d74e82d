import { membersOf } from './answer-members.ts'
import { acknowledgeButton } from './buttons.ts'
import { cutText } from './cut-text.ts'
import { choice, secret } from './fields.ts'
import { integration } from './integration.ts'

const vendor = 'https://events.pagerduty.com'
/** `PAGERDUTY_URL` replaces only the first. */
const places = { us: vendor, eu: 'https://events.eu.pagerduty.com' } as const
const keyPattern = '^[A-Za-z0-9]{32}$'

const longestSummary = 1024
const longestText = 8000

/** https://developer.pagerduty.com/docs/send-alert-event */
export const pagerduty = integration({
  id: 'pagerduty',
  words: {
    en: { name: 'PagerDuty', description: 'An incident that is opened by a failure and resolved by its end.' },
    pl: { name: 'PagerDuty', description: 'Incydent, który otwiera awaria, a zamyka jej koniec.' },
  },
  vendor,
  fields: {
    routing_key: secret(
      {
        en: { label: 'Integration key', description: 'PagerDuty shows it when you add an Events API V2 integration.' },
        pl: { label: 'Klucz integracji', description: 'PagerDuty pokazuje go po dodaniu integracji Events API V2.' },
      },
      {
        pattern: keyPattern,
        expected: { en: 'Expected 32 letters and digits.', pl: 'Oczekiwane są 32 litery i cyfry.' },
      },
    ),
    region: choice(
      {
        en: { label: 'Region', description: 'Where your PagerDuty account is.' },
        pl: { label: 'Region', description: 'Gdzie jest Twoje konto PagerDuty.' },
      },
      { choices: ['us', 'eu'], standard: 'us' },
    ),
  },
  isIdempotent: true,
  isForPrograms: true,
  acknowledgements: 'incident',
  tells: ({ incident, condition }) => incident !== undefined || condition === 'test',
  label: ({ routing_key: key, region }) => `${new URL(places[region]).host} …${key.slice(-4)}`,
  detect({ protocol, username, searchParams }) {
    if (protocol !== 'pagerduty:' || !new RegExp(keyPattern).test(username)) return null
    return { routing_key: username, ...(searchParams.get('region') === 'eu' ? { region: 'eu' } : {}) }
  },
  request(notification, { routing_key: routingKey, region }) {
    const { subject, text, link, condition, key, decidedAt, incident, serviceName } = notification
    const url = `${places[region]}/v2/enqueue`
    const event = { routing_key: routingKey, dedup_key: incident?.key ?? key }
    if (incident?.isAcknowledged === true) return { url, json: { ...event, event_action: 'acknowledge' } }
    if (incident?.isOver === true) return { url, json: { ...event, event_action: 'resolve' } }
    const payload = {
      summary: cutText(subject, longestSummary),
      source: link === null ? 'Latarnik' : new URL(link).host,
      ...(serviceName === undefined ? {} : { component: serviceName }),
      severity: condition === 'test' ? 'info' : 'critical',
      timestamp: new Date(decidedAt).toISOString(),
      custom_details: { message: cutText(text, longestText) },
    }
    const client = { client: 'Latarnik', ...(link === null ? {} : { client_url: link }) }
    const button = acknowledgeButton(notification)
    const links = button === null ? {} : { links: [{ href: button.url, text: `${button.text} (Latarnik)` }] }
    return { url, json: { ...event, event_action: 'trigger', ...client, ...links, payload } }
  },
  read({ text }) {
    const { message, errors } = membersOf(text)
    if (typeof message !== 'string') return {}
    return { said: [message, ...(Array.isArray(errors) ? errors.map(String) : [])].join(': ') }
  },
})
