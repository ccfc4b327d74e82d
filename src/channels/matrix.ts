import { membersOf } from './answer-members.ts'
import { cutEscaped, cutText } from './cut-text.ts'
import { secret, text, url } from './fields.ts'
import { integration, serverOf } from './integration.ts'
import { escapeHtml } from './markup.ts'

const roomPattern = '^![^\\s/:]{1,200}(:[^\\s/]{1,200})?$'

/** Both forms of the text together stay below the 64 KB of an event. */
const longestText = 8000
const longestHtml = 16_000

/** https://spec.matrix.org/latest/client-server-api/#put_matrixclientv3roomsroomidsendeventtypetxnid */
export const matrix = integration({
  id: 'matrix',
  words: {
    en: { name: 'Matrix', description: 'A message in a room, by a user made for it.' },
    pl: { name: 'Matrix', description: 'Wiadomość w pokoju, od założonego do tego użytkownika.' },
  },
  vendor: null,
  fields: {
    server: url({
      en: { label: 'Homeserver', description: 'Its address, such as https://matrix.example.com.' },
      pl: { label: 'Serwer domowy', description: 'Jego adres, na przykład https://matrix.example.com.' },
    }),
    room_id: text(
      {
        en: {
          label: 'Room ID',
          description: 'The settings of the room show it under Advanced. The user must be in the room.',
        },
        pl: {
          label: 'ID pokoju',
          description: 'Pokazują go ustawienia pokoju, w części Zaawansowane. Użytkownik musi być w pokoju.',
        },
      },
      {
        pattern: roomPattern,
        expected: {
          en: 'Expected an ID like !abcdef:example.com.',
          pl: 'Oczekiwane jest ID w rodzaju !abcdef:example.com.',
        },
      },
    ),
    access_token: secret({
      en: {
        label: 'Access token',
        description: 'The token of the user that sends; Element shows it under Help & About.',
      },
      pl: {
        label: 'Token dostępu',
        description: 'Użytkownika, który wysyła; Element pokazuje go w części Pomoc i informacje.',
      },
    }),
  },
  isIdempotent: true,
  acknowledgements: 'reply',
  label: ({ server, room_id: room }) => `${new URL(server).host}/${room}`,
  detect({ protocol, username, password, host, pathname, hash }) {
    const room = decodeURIComponent(pathname).replace(/^\/|\/$/g, '')
    if (!['matrix:', 'matrixs:'].includes(protocol) || username === '' || password !== '' || hash !== '') return null
    if (!new RegExp(roomPattern).test(room)) return null
    const server = `${protocol === 'matrixs:' ? 'https' : 'http'}://${host}`
    return { server, room_id: room, access_token: decodeURIComponent(username) }
  },
  request({ subject, text: body, link, key, answers, condition }, { server, room_id: room, access_token: token }) {
    const path = `rooms/${encodeURIComponent(room)}/send/m.room.message/${encodeURIComponent(key)}`
    const title = escapeHtml(cutText(subject, 200))
    const linked = link === null ? title : `<a href="${escapeHtml(link)}">${title}</a>`
    return {
      url: `${serverOf(server)}/_matrix/client/v3/${path}`,
      method: 'PUT',
      headers: { Authorization: `Bearer ${token}` },
      json: {
        // Clients ring for texts, and show notices quietly.
        ...{ msgtype: condition === 'acknowledgement' ? 'm.notice' : 'm.text' },
        ...{ body: `${cutText(subject, 200)}\n${cutText(body, longestText)}` },
        format: 'org.matrix.custom.html',
        formatted_body: `<strong>${linked}</strong><br>${cutEscaped(body, longestHtml, htmlLines)}`,
        'm.mentions': {},
        ...(answers === undefined ? {} : { 'm.relates_to': { 'm.in_reply_to': { event_id: answers } } }),
      },
    }
  },
  read({ text: answer }) {
    const { error, retry_after_ms: pause, event_id: id } = membersOf(answer)
    return {
      ...(typeof id === 'string' ? { reference: id } : {}),
      ...(typeof error === 'string' ? { said: error } : {}),
      ...(typeof pause === 'number' ? { retryAfter: pause } : {}),
    }
  },
})

function htmlLines(text: string): string {
  return escapeHtml(text).replaceAll('\n', '<br>')
}
