import { isObject } from '../domain/input/json.ts'
import { membersOf } from './answer-members.ts'
import { buttonsOf } from './buttons.ts'
import { cutEscaped, cutText } from './cut-text.ts'
import { secretUrl } from './fields.ts'
import { integration } from './integration.ts'
import { escapeHtml } from './markup.ts'

const vendor = 'https://chat.googleapis.com'
const webhookPattern = '^https://chat\\.googleapis\\.com/v1/spaces/[\\w-]+/messages\\?key=[\\w%.~-]+&token=[\\w%.~-]+$'

const longestText = 4000

/** https://developers.google.com/workspace/chat/quickstart/webhooks */
export const googleChat = integration({
  id: 'google_chat',
  words: {
    en: { name: 'Google Chat', description: 'A card in a space, by a webhook. A failure and its end share a thread.' },
    pl: { name: 'Google Chat', description: 'Karta w pokoju, przez webhook. Awaria i jej koniec są w jednym wątku.' },
  },
  vendor,
  fields: {
    url: secretUrl(
      {
        en: { label: 'Webhook URL', description: 'Google Chat shows it under Apps & integrations of the space.' },
        pl: { label: 'Adres webhooka', description: 'Google Chat pokazuje go w części Aplikacje i integracje pokoju.' },
      },
      {
        pattern: webhookPattern,
        expected: {
          en: 'Expected an address like https://chat.googleapis.com/v1/spaces/…/messages?key=…&token=….',
          pl: 'Oczekiwany jest adres w rodzaju https://chat.googleapis.com/v1/spaces/…/messages?key=…&token=….',
        },
      },
    ),
  },
  label: ({ url }) => new URL(url).pathname.split('/').slice(2, 4).join('/'),
  detect({ protocol, hostname, pathname, href }) {
    const [, key, token, ...others] = pathname.split('/')
    const isApprise = protocol === 'gchat:' && others.join('') === ''
    const url = isApprise ? `${vendor}/v1/spaces/${hostname}/messages?key=${key}&token=${token}` : href
    return new RegExp(webhookPattern).test(url) ? { url } : null
  },
  request(notification, { url }) {
    const { subject, text, threadKey } = notification
    const buttons = buttonsOf(notification).map((button) => ({
      ...{ text: button.text, onClick: { openLink: { url: button.url } } },
    }))
    const widgets = [
      { textParagraph: { text: cutEscaped(text, longestText, escapeHtml) } },
      ...(buttons.length === 0 ? [] : [{ buttonList: { buttons } }]),
    ]
    const title = cutText(subject, 200)
    return {
      url: `${url}&messageReplyOption=REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD`,
      json: {
        fallbackText: title,
        cardsV2: [{ cardId: 'notice', card: { header: { title }, sections: [{ widgets }] } }],
        thread: { threadKey },
      },
    }
  },
  read({ text }) {
    const { error } = membersOf(text)
    const said = isObject(error) ? error['message'] : undefined
    return typeof said === 'string' ? { said } : {}
  },
})
