import { membersOf } from './answer-members.ts'
import { cutText } from './cut-text.ts'
import { choice } from './fields.ts'
import type { IntegrationRequest, Meaning, Notification } from './integration.ts'

const priorities = ['P1', 'P2', 'P3', 'P4', 'P5'] as const
type Priority = (typeof priorities)[number]

const longestMessage = 130
const longestDescription = 8000

export const priorityField = choice(
  {
    en: { label: 'Priority', description: 'The priority of failures; P1 is the most urgent.' },
    pl: { label: 'Priorytet', description: 'Priorytet awarii; P1 jest najpilniejszy.' },
  },
  { choices: priorities, standard: 'P3' },
)

/** The priority as Apprise writes it in its URLs. */
export function pastedPriority(text: string | null): { readonly priority?: Priority } {
  const priority = priorities.find((candidate) => candidate === text?.toUpperCase())
  return priority === undefined ? {} : { priority }
}

export function takesAlert({ incident, condition }: Notification): boolean {
  return incident !== undefined || condition === 'test'
}

/** Opsgenie and its successor accept the same requests, each at its own address. */
export function alertRequest(
  place: string,
  { subject, text, link, condition, key, incident, serviceName }: Notification,
  { api_key: apiKey, priority }: { readonly api_key: string; readonly priority: Priority },
): IntegrationRequest {
  const headers = { Authorization: `GenieKey ${apiKey}` }
  if (incident?.isOver === true || incident?.isAcknowledged === true) {
    const step = incident.isOver ? 'close' : 'acknowledge'
    const url = `${place}/v2/alerts/${encodeURIComponent(incident.key)}/${step}?identifierType=alias`
    return { url, headers, json: { source: 'Latarnik', note: cutText(incident.isOver ? subject : text, 1000) } }
  }
  return {
    url: `${place}/v2/alerts`,
    headers,
    json: {
      message: cutText(subject, longestMessage),
      alias: incident?.key ?? key,
      description: cutText(text, longestDescription),
      ...(serviceName === undefined ? {} : { entity: serviceName }),
      ...(link === null ? {} : { details: { link } }),
      ...{ priority: condition === 'test' ? 'P5' : priority, source: 'Latarnik', tags: ['latarnik'] },
    },
  }
}

export function saidOf({ text }: { readonly text: string }): Meaning {
  const { message } = membersOf(text)
  return typeof message === 'string' ? { said: message } : {}
}
