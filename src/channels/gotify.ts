import { cutText } from './cut-text.ts'
import { choice, secret, url } from './fields.ts'
import { integration, serverOf } from './integration.ts'

const priorities = ['low', 'normal', 'high'] as const
/** From 4 on phones make a sound; from 8 on they interrupt. */
const numbers: Readonly<Record<(typeof priorities)[number], number>> = { low: 2, normal: 5, high: 8 }

const longestMessage = 8000

/** https://gotify.net/api-docs#/message/createMessage */
export const gotify = integration({
  id: 'gotify',
  words: {
    en: { name: 'Gotify', description: 'Push notifications by a Gotify server of your own.' },
    pl: { name: 'Gotify', description: 'Powiadomienia push przez własny serwer Gotify.' },
  },
  vendor: null,
  fields: {
    server: url({
      en: { label: 'Server', description: 'Its address, such as https://gotify.example.com.' },
      pl: { label: 'Serwer', description: 'Jego adres, na przykład https://gotify.example.com.' },
    }),
    token: secret({
      en: { label: 'Application token', description: 'Gotify shows it when you create an application.' },
      pl: { label: 'Token aplikacji', description: 'Gotify pokazuje go po utworzeniu aplikacji.' },
    }),
    priority: choice(
      {
        en: { label: 'Priority', description: 'How urgently the phone announces failures.' },
        pl: { label: 'Priorytet', description: 'Jak pilnie telefon zgłasza awarie.' },
      },
      { choices: priorities, standard: 'normal' },
    ),
  },
  label: ({ server }) => new URL(server).host,
  detect(pasted) {
    if (pasted.protocol !== 'gotify:' && pasted.protocol !== 'gotifys:') return null
    const parts = pasted.pathname.split('/').filter((part) => part !== '')
    const token = parts.pop()
    if (token === undefined) return null
    const scheme = pasted.protocol === 'gotifys:' ? 'https' : 'http'
    return { server: [`${scheme}://${pasted.host}`, ...parts].join('/'), token }
  },
  request({ subject, text, link, condition }, { server, token, priority }) {
    const click = link === null ? {} : { extras: { 'client::notification': { click: { url: link } } } }
    return {
      url: `${serverOf(server)}/message`,
      headers: { 'X-Gotify-Key': token },
      json: {
        ...{ title: subject, message: cutText(text, longestMessage) },
        priority: condition === 'failure' ? numbers[priority] : numbers.normal,
        ...click,
      },
    }
  },
})
