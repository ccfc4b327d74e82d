import { membersOf } from './answer-members.ts'
import { cutText } from './cut-text.ts'
import { telephone, text, url } from './fields.ts'
import { integration, serverOf } from './integration.ts'

/** A number, a group, or a user name. */
const recipientPattern = '^(\\+[1-9]\\d{6,14}|group\\.[A-Za-z0-9+/=_-]{10,150}|[A-Za-z_]\\w{2,31}\\.\\d{2,9})$'

/** Signal turns longer texts into a file. */
const longestText = 1900

/** https://bbernhard.github.io/signal-cli-rest-api/#/Messages/post_v2_send */
export const signal = integration({
  id: 'signal',
  words: {
    en: { name: 'Signal', description: 'A message by a signal-cli-rest-api of your own.' },
    pl: { name: 'Signal', description: 'Wiadomość przez własny signal-cli-rest-api.' },
  },
  vendor: null,
  fields: {
    server: url({
      en: { label: 'Server', description: 'The address of signal-cli-rest-api.' },
      pl: { label: 'Serwer', description: 'Adres signal-cli-rest-api.' },
    }),
    number: telephone({
      en: { label: 'From', description: 'The number that is registered there.' },
      pl: { label: 'Nadawca', description: 'Numer, który jest tam zarejestrowany.' },
    }),
    recipient: text(
      {
        en: { label: 'To', description: 'A number, a group (group.…) or a user name.' },
        pl: { label: 'Odbiorca', description: 'Numer, grupa (group.…) lub nazwa użytkownika.' },
      },
      {
        pattern: recipientPattern,
        expected: {
          en: 'Expected a number such as +48600100200, group.… or a user name such as alice.42.',
          pl: 'Oczekiwany jest numer, na przykład +48600100200, group.… lub nazwa użytkownika, na przykład alice.42.',
        },
      },
    ),
  },
  label: ({ recipient }) => recipient,
  detect({ protocol, username, host, pathname }) {
    const [from, to, ...others] = pathname
      .split('/')
      .filter((part) => part !== '')
      .map(numberOf)
    if ((protocol !== 'signal:' && protocol !== 'signals:') || username !== '' || others.length > 0) return null
    if (from === undefined || !/^\+\d{7,15}$/.test(from)) return null
    const recipient = to ?? from
    const server = `${protocol === 'signals:' ? 'https' : 'http'}://${host}`
    return new RegExp(recipientPattern).test(recipient) ? { server, number: from, recipient } : null
  },
  request({ subject, text: body, link }, { server, number, recipient }) {
    const lines = [cutText(subject, 200), cutText(body, longestText - 500), ...(link === null ? [] : [link])]
    return {
      url: `${serverOf(server)}/v2/send`,
      json: { message: cutText(lines.join('\n'), longestText), number, recipients: [recipient] },
    }
  },
  read({ text: answer }) {
    const { error } = membersOf(answer)
    return typeof error === 'string' ? { said: error } : {}
  },
})

/** Apprise omits the plus, and marks groups with `@`. */
function numberOf(part: string): string {
  const decoded = decodeURIComponent(part)
  return decoded.replace(/^\+?(?=\d{7,15}$)/, '+').replace(/^@(group\.)?/, 'group.')
}
