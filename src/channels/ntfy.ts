import { acknowledgeButton } from './buttons.ts'
import { cutBytes } from './cut-text.ts'
import { choice, optionalSecret, text, urlOr } from './fields.ts'
import { integration } from './integration.ts'

const vendor = 'https://ntfy.sh'
const priorities = ['min', 'low', 'default', 'high', 'max'] as const
const topicPattern = '^[-_A-Za-z0-9]{1,64}$'

/** Bytes that ntfy shows as a message; longer ones become attachments. */
const longestMessage = 4096

/** Emoji short codes that ntfy shows before the title. */
const emoji: Readonly<Record<string, string>> = { failure: 'rotating_light', recovery: 'white_check_mark' }

/** https://docs.ntfy.sh/publish/#publish-as-json */
export const ntfy = integration({
  id: 'ntfy',
  words: {
    en: { name: 'ntfy', description: 'Push notifications by ntfy.sh or a server of your own.' },
    pl: { name: 'ntfy', description: 'Powiadomienia push przez ntfy.sh lub własny serwer.' },
  },
  vendor,
  fields: {
    server: urlOr(vendor, {
      en: { label: 'Server', description: 'Change it only for a server of your own.' },
      pl: { label: 'Serwer', description: 'Zmień go tylko wtedy, gdy masz własny serwer.' },
    }),
    topic: text(
      {
        en: { label: 'Topic', description: 'The topic that people subscribe to. Whoever knows it can read it.' },
        pl: { label: 'Temat', description: 'Temat, który subskrybują odbiorcy. Kto go zna, ten może go czytać.' },
      },
      {
        pattern: topicPattern,
        expected: {
          en: 'Expected 1 to 64 letters, digits, hyphens or underscores.',
          pl: 'Oczekiwane jest od 1 do 64 liter, cyfr, łączników lub podkreśleń.',
        },
      },
    ),
    token: optionalSecret({
      en: { label: 'Access token', description: 'Needed where the topic is protected.' },
      pl: { label: 'Token dostępu', description: 'Potrzebny, gdy temat jest chroniony.' },
    }),
    priority: choice(
      {
        en: { label: 'Priority', description: 'How urgently the phone announces failures.' },
        pl: { label: 'Priorytet', description: 'Jak pilnie telefon zgłasza awarie.' },
      },
      { choices: priorities, standard: 'default' },
    ),
  },
  label: ({ server, topic }) => `${new URL(server).host}/${topic}`,
  detect(pasted) {
    const isApprise = pasted.protocol === 'ntfy:' || pasted.protocol === 'ntfys:'
    const isVendor = pasted.protocol === 'https:' && pasted.host === 'ntfy.sh'
    if (!isApprise && !isVendor) return null
    const [topic = pasted.hostname, ...others] = pasted.pathname.split('/').filter((part) => part !== '')
    if (!new RegExp(topicPattern).test(topic) || others.length > 0) return null
    const hasServer = isApprise && pasted.pathname.length > 1
    return hasServer
      ? { server: `${pasted.protocol === 'ntfys:' ? 'https' : 'http'}://${pasted.host}`, topic }
      : { topic }
  },
  request(notification, { server, topic, token, priority }) {
    const { subject, text: body, link, condition } = notification
    const button = acknowledgeButton(notification)
    const tag = emoji[condition]
    return {
      url: server,
      headers: token === null ? {} : { Authorization: `Bearer ${token}` },
      json: {
        ...{ topic, title: subject, message: cutBytes(body, longestMessage) },
        priority: condition === 'failure' ? priorities.indexOf(priority) + 1 : 3,
        ...(tag === undefined ? {} : { tags: [tag] }),
        ...(link === null ? {} : { click: link }),
        ...(button === null ? {} : { actions: [{ action: 'view', label: button.text, url: button.url }] }),
      },
    }
  },
})
