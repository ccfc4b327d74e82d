import { secret } from './fields.ts'
import { integration } from './integration.ts'
import { alertRequest, pastedPriority, priorityField, saidOf, takesAlert } from './opsgenie-alerts.ts'

const vendor = 'https://api.atlassian.com'

/** https://developer.atlassian.com/cloud/jira/service-desk-ops/rest/v1/api-group-integration-events/ */
export const jsm = integration({
  id: 'jsm',
  words: {
    en: { name: 'Jira Service Management', description: 'An alert that is closed when the failure ends.' },
    pl: { name: 'Jira Service Management', description: 'Alert, który zamyka się z końcem awarii.' },
  },
  vendor,
  fields: {
    api_key: secret({
      en: { label: 'API key', description: 'Jira shows it when you add an API integration to Operations.' },
      pl: { label: 'Klucz API', description: 'Jira pokazuje go po dodaniu integracji API w części Operations.' },
    }),
    priority: priorityField,
  },
  isIdempotent: true,
  isForPrograms: true,
  acknowledgements: 'incident',
  tells: takesAlert,
  label: ({ api_key: key }) => `api.atlassian.com …${key.slice(-4)}`,
  detect({ protocol, hostname, pathname, searchParams }) {
    if (protocol !== 'jira:' || hostname === '' || pathname.replaceAll('/', '') !== '') return null
    return { api_key: hostname, ...pastedPriority(searchParams.get('priority')) }
  },
  request: (notification, fields) => alertRequest(`${vendor}/jsm/ops/integration`, notification, fields),
  read: saidOf,
})
