import { choice, secret } from './fields.ts'
import { integration } from './integration.ts'
import { alertRequest, pastedPriority, priorityField, saidOf, takesAlert } from './opsgenie-alerts.ts'

const vendor = 'https://api.opsgenie.com'
/** `OPSGENIE_URL` replaces only the first. */
const places = { us: vendor, eu: 'https://api.eu.opsgenie.com' } as const

/** https://docs.opsgenie.com/docs/alert-api */
export const opsgenie = integration({
  id: 'opsgenie',
  words: {
    en: {
      name: 'Opsgenie',
      description: 'An alert that is closed when the failure ends. Opsgenie ends in April 2027.',
    },
    pl: {
      name: 'Opsgenie',
      description: 'Alert, który zamyka się z końcem awarii. Opsgenie działa do kwietnia 2027.',
    },
  },
  vendor,
  fields: {
    api_key: secret({
      en: { label: 'API key', description: 'Opsgenie shows it when you add an API integration to a team.' },
      pl: { label: 'Klucz API', description: 'Opsgenie pokazuje go po dodaniu integracji API do zespołu.' },
    }),
    region: choice(
      {
        en: { label: 'Region', description: 'Where your Opsgenie account is.' },
        pl: { label: 'Region', description: 'Gdzie jest Twoje konto Opsgenie.' },
      },
      { choices: ['us', 'eu'], standard: 'us' },
    ),
    priority: priorityField,
  },
  isIdempotent: true,
  isForPrograms: true,
  acknowledgements: 'incident',
  tells: takesAlert,
  label: ({ api_key: key, region }) => `${new URL(places[region]).host} …${key.slice(-4)}`,
  detect({ protocol, hostname, pathname, searchParams }) {
    if (protocol !== 'opsgenie:' || hostname === '' || pathname.replaceAll('/', '') !== '') return null
    const region = searchParams.get('region') === 'eu' ? { region: 'eu' as const } : {}
    return { api_key: hostname, ...region, ...pastedPriority(searchParams.get('priority')) }
  },
  request: (notification, { region, ...fields }) => alertRequest(places[region], notification, fields),
  read: saidOf,
})
