import { membersOf } from './answer-members.ts'
import { cutText } from './cut-text.ts'
import { choice, secret, text } from './fields.ts'
import { type IntegrationRequest, integration } from './integration.ts'

const vendor = 'https://api.pushover.net'
const keyPattern = '^[A-Za-z0-9]{30}$'
const expected = { en: 'Expected 30 letters and digits.', pl: 'Oczekiwane jest 30 liter i cyfr.' }

const priorities = ['lowest', 'low', 'normal', 'high', 'emergency'] as const
/** Emergencies sound every minute, for an hour at most, until somebody acknowledges them. */
const emergency = { retry: 60, expire: 3600 }

const longestTitle = 250
const longestMessage = 1024

/** https://pushover.net/api */
export const pushover = integration({
  id: 'pushover',
  words: {
    en: { name: 'Pushover', description: 'Push notifications to phones, by an application of your own.' },
    pl: { name: 'Pushover', description: 'Powiadomienia push na telefony, przez własną aplikację.' },
  },
  vendor,
  fields: {
    token: secret(
      {
        en: { label: 'API token', description: 'Pushover shows it when you create an application.' },
        pl: { label: 'Token API', description: 'Pushover pokazuje go po utworzeniu aplikacji.' },
      },
      { pattern: keyPattern, expected },
    ),
    user: text(
      {
        en: { label: 'User key', description: 'The key of a user or of a group.' },
        pl: { label: 'Klucz użytkownika', description: 'Klucz użytkownika lub grupy.' },
      },
      { pattern: keyPattern, expected },
    ),
    priority: choice(
      {
        en: {
          label: 'Priority',
          description: 'How urgently the phone announces failures. Emergencies repeat until acknowledged.',
        },
        pl: {
          label: 'Priorytet',
          description: 'Jak pilnie telefon zgłasza awarie. Alarm powtarza się do potwierdzenia.',
        },
      },
      { choices: priorities, standard: 'normal' },
    ),
  },
  acknowledgements: 'reply',
  label: ({ user }) => user,
  detect({ protocol, username, hostname, pathname }) {
    if (protocol !== 'pover:' || pathname.replaceAll('/', '') !== '') return null
    const areKeys = [username, hostname].every((key) => new RegExp(keyPattern).test(key))
    return areKeys ? { user: username, token: hostname } : null
  },
  request({ subject, text: body, link, condition, decidedAt, answers }, { token, user, priority }) {
    if (condition === 'acknowledgement') return cancelling(answers, token)
    const isFailure = condition === 'failure'
    return {
      url: `${vendor}/1/messages.json`,
      json: {
        ...{ token, user, title: cutText(subject, longestTitle), message: cutText(body, longestMessage) },
        ...(link === null ? {} : { url: link }),
        ...{ timestamp: Math.floor(decidedAt / 1000), priority: isFailure ? priorities.indexOf(priority) - 2 : 0 },
        ...(isFailure && priority === 'emergency' ? emergency : {}),
      },
    }
  },
  amend: ({ condition, answers }, { token }) =>
    condition === 'recovery' && answers !== undefined ? cancelling(answers, token) : null,
  read({ text: answer }) {
    const { errors, receipt } = membersOf(answer)
    return {
      ...(typeof receipt === 'string' ? { reference: receipt } : {}),
      ...(Array.isArray(errors) ? { said: errors.join(', ') } : {}),
    }
  },
})

/** Ends the repetition of an emergency: https://pushover.net/api/receipts#cancel */
function cancelling(receipt: string | undefined, token: string): IntegrationRequest {
  return { url: `${vendor}/1/receipts/${encodeURIComponent(receipt ?? '')}/cancel.json`, json: { token } }
}
