import { cutText } from './cut-text.ts'
import { telephone, text } from './fields.ts'
import { integration } from './integration.ts'
import { accountFields, pastedAccount, saidByTwilio, twilioPlace, twilioRequest } from './twilio.ts'

/** A number, a messaging service, or a name. */
const senderPattern = '^(\\+?\\d{3,15}|MG[0-9a-fA-F]{32}|[A-Za-z0-9 ]{1,11})$'

const longestText = 1600

/** https://www.twilio.com/docs/messaging/api/message-resource#create-a-message-resource */
export const twilioSms = integration({
  id: 'twilio_sms',
  words: {
    en: { name: 'SMS by Twilio', description: 'A text message from your own Twilio account, at its cost.' },
    pl: { name: 'SMS przez Twilio', description: 'SMS z własnego konta Twilio, na jego koszt.' },
  },
  style: 'sms',
  vendor: twilioPlace,
  fields: {
    ...accountFields,
    from: text(
      {
        en: { label: 'From', description: 'A number of the account, a messaging service (MG…) or a name.' },
        pl: { label: 'Nadawca', description: 'Numer z konta, usługa wiadomości (MG…) lub nazwa.' },
      },
      {
        pattern: senderPattern,
        expected: {
          en: 'Expected a number such as +48600100200, a SID such as MG…, or a name of at most 11 letters and digits.',
          pl: 'Oczekiwany jest numer, na przykład +48600100200, SID w rodzaju MG… lub nazwa z najwyżej 11 liter i cyfr.',
        },
      },
    ),
    to: telephone({
      en: { label: 'To', description: 'The phone that gets the message.' },
      pl: { label: 'Odbiorca', description: 'Telefon, na który idzie wiadomość.' },
    }),
  },
  label: ({ to }) => to,
  detect: (pasted) => pastedAccount(pasted, 'sms'),
  request({ text: body }, { from, to, ...account }) {
    const sender = /^MG.{32}$/.test(from) ? { MessagingServiceSid: from } : { From: from }
    return twilioRequest(account, 'Messages', { ...sender, To: to, Body: cutText(body, longestText) })
  },
  read: saidByTwilio,
})
