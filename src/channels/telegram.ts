import { isObject } from '../domain/input/json.ts'
import { membersOf } from './answer-members.ts'
import { acknowledgeButton } from './buttons.ts'
import { cutEscaped, cutText } from './cut-text.ts'
import { optionalInteger, secret, text } from './fields.ts'
import { integration } from './integration.ts'
import { escapeHtml } from './markup.ts'

const vendor = 'https://api.telegram.org'
const tokenPattern = '^\\d{5,20}:[\\w-]{20,100}$'
const chatPattern = '^(-?\\d{1,20}|@[A-Za-z]\\w{3,63})$'

/** Telegram's limit of a message in characters, less room for the title. */
const longestText = 3800

/** https://core.telegram.org/bots/api#sendmessage */
export const telegram = integration({
  id: 'telegram',
  words: {
    en: { name: 'Telegram', description: 'A message by a bot of your own.' },
    pl: { name: 'Telegram', description: 'Wiadomość od własnego bota.' },
  },
  vendor,
  fields: {
    bot_token: secret(
      {
        en: { label: 'Bot token', description: '@BotFather shows it when you make a bot.' },
        pl: { label: 'Token bota', description: '@BotFather pokazuje go po utworzeniu bota.' },
      },
      {
        pattern: tokenPattern,
        expected: {
          en: 'Expected a token like 123456789:AbC….',
          pl: 'Oczekiwany jest token w rodzaju 123456789:AbC….',
        },
      },
    ),
    chat_id: text(
      {
        en: {
          label: 'Chat',
          description: 'The number of the chat, or @name of a public channel. The bot must be in it.',
        },
        pl: { label: 'Czat', description: 'Numer czatu lub @nazwa kanału publicznego. Bot musi w nim być.' },
      },
      {
        pattern: chatPattern,
        expected: {
          en: 'Expected a number, such as -1001234567890, or @name.',
          pl: 'Oczekiwana jest liczba, na przykład -1001234567890, lub @nazwa.',
        },
      },
    ),
    thread_id: optionalInteger(
      {
        en: { label: 'Topic', description: 'The number of a topic in a group that has topics.' },
        pl: { label: 'Temat', description: 'Numer tematu w grupie, która ma tematy.' },
      },
      { minimum: 1, maximum: 2 ** 31 - 1 },
    ),
  },
  acknowledgements: 'reply',
  label: ({ chat_id: chat, thread_id: thread }) => (thread === null ? chat : `${chat}:${thread}`),
  detect({ protocol, host, pathname }) {
    const token = decodeURIComponent(host).replace(/^bot/, '')
    const [chat = '', thread] = pathname.replace(/^\/|\/$/g, '').split(':')
    if (protocol !== 'tgram:' || !new RegExp(tokenPattern).test(token)) return null
    if (!new RegExp(chatPattern).test(chat) || !/^([1-9]\d{0,8})?$/.test(thread ?? '')) return null
    return { bot_token: token, chat_id: chat, ...(thread === undefined ? {} : { thread_id: Number(thread) }) }
  },
  request(notification, { bot_token: token, chat_id: chat, thread_id: thread }) {
    const { subject, text: body, link, answers, condition } = notification
    const button = acknowledgeButton(notification)
    const title = escapeHtml(cutText(subject, 200))
    const linked = link === null ? title : `<a href="${escapeHtml(link)}">${title}</a>`
    return {
      url: `${vendor}/bot${token}/sendMessage`,
      json: {
        chat_id: chat,
        ...(thread === null ? {} : { message_thread_id: thread }),
        text: `<b>${linked}</b>\n${cutEscaped(body, longestText, escapeHtml)}`,
        parse_mode: 'HTML',
        link_preview_options: { is_disabled: true },
        ...(condition === 'acknowledgement' ? { disable_notification: true } : {}),
        ...(answers === undefined
          ? {}
          : { reply_parameters: { message_id: Number(answers), allow_sending_without_reply: true } }),
        ...(button === null || !isTaken(button.url) ? {} : { reply_markup: { inline_keyboard: [[button]] } }),
      },
    }
  },
  read({ text: answer }) {
    const { description, parameters, result } = membersOf(answer)
    const { message_id: id } = isObject(result) ? result : {}
    const { retry_after: seconds, migrate_to_chat_id: chat } = isObject(parameters) ? parameters : {}
    return {
      ...(typeof id === 'number' ? { reference: String(id) } : {}),
      ...(typeof description === 'string' ? { said: description } : {}),
      ...(typeof seconds === 'number' ? { retryAfter: seconds * 1000 } : {}),
      ...(typeof chat === 'number' ? { said: `the group has become a supergroup: set its chat to ${chat}` } : {}),
    }
  },
})

/**
 * Telegram refuses the whole message if a button links to a host without a dot, such as `localhost`; the text has the
 * link too.
 */
function isTaken(url: string): boolean {
  return new URL(url).hostname.includes('.')
}
