import { membersOf } from './answer-members.ts'
import { cutText } from './cut-text.ts'
import { optionalSecret, url } from './fields.ts'
import { integration, serverOf } from './integration.ts'

const keyPattern = '^[\\w-]{1,128}$'

const longestText = 8000

const types: Readonly<Record<string, string>> = {
  ...{ failure: 'failure', failure_continuation: 'failure', silent_failure: 'failure' },
  ...{ recovery: 'success', pause: 'warning' },
  ...{ degraded: 'warning', degraded_end: 'success' },
}

/** https://github.com/caronc/apprise-api#api-details */
export const apprise = integration({
  id: 'apprise',
  words: {
    en: { name: 'Apprise', description: 'Anything that Apprise can reach, by an Apprise API of your own.' },
    pl: { name: 'Apprise', description: 'Wszystko, dokąd sięga Apprise, przez własne Apprise API.' },
  },
  vendor: null,
  fields: {
    server: url({
      en: { label: 'Server', description: 'The address of the Apprise API, such as https://apprise.example.com.' },
      pl: { label: 'Serwer', description: 'Adres Apprise API, na przykład https://apprise.example.com.' },
    }),
    key: optionalSecret(
      {
        en: {
          label: 'Key',
          description: 'The key of addresses that are kept there. Needed unless you give addresses below.',
        },
        pl: {
          label: 'Klucz',
          description: 'Adresów, które są tam zapisane. Potrzebny, jeśli nie podasz adresów poniżej.',
        },
      },
      {
        pattern: keyPattern,
        expected: {
          en: 'Expected at most 128 letters, digits, hyphens or underscores.',
          pl: 'Oczekiwane jest najwyżej 128 liter, cyfr, łączników lub podkreśleń.',
        },
      },
    ),
    urls: optionalSecret(
      {
        en: {
          label: 'Addresses',
          description: 'Addresses as Apprise writes them, separated by commas. Used without a key.',
        },
        pl: {
          label: 'Adresy',
          description: 'Adresy w zapisie Apprise, rozdzielone przecinkami. Używane, gdy nie ma klucza.',
        },
      },
      { longest: 4000 },
    ),
  },
  needsOneOf: ['key', 'urls'],
  label: ({ server }) => new URL(server).host,
  detect({ protocol, username, host, pathname }) {
    const parts = pathname.split('/').filter((part) => part !== '')
    const key = parts.pop() ?? ''
    if ((protocol !== 'apprise:' && protocol !== 'apprises:') || username !== '') return null
    const server = [`${protocol === 'apprises:' ? 'https' : 'http'}://${host}`, ...parts].join('/')
    return new RegExp(keyPattern).test(key) ? { server, key } : null
  },
  request({ subject, text, condition }, { server, key, urls }) {
    const place = `${serverOf(server)}/notify`
    return {
      url: key === null ? place : `${place}/${key}`,
      json: {
        ...(key === null ? { urls } : {}),
        ...{ title: cutText(subject, 250), body: cutText(text, longestText) },
        ...{ type: types[condition] ?? 'info', format: 'text' },
      },
    }
  },
  read({ status, text }) {
    if (status === 204) return { isTaken: false, said: 'the server found no address to notify' }
    const { error } = membersOf(text)
    return typeof error === 'string' ? { said: error } : {}
  },
})
