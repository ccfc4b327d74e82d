import { cutEscaped } from './cut-text.ts'
import { telephone } from './fields.ts'
import { integration } from './integration.ts'
import { escapeHtml } from './markup.ts'
import { accountFields, pastedAccount, saidByTwilio, twilioPlace, twilioRequest } from './twilio.ts'

/** The limit of the spoken text in characters. */
const longestText = 1000

const voices = { en: 'en-US', pl: 'pl-PL' } as const

/** https://www.twilio.com/docs/voice/api/call-resource#create-a-call-resource */
export const twilioVoice = integration({
  id: 'twilio_voice',
  words: {
    en: {
      name: 'Call by Twilio',
      description: 'A call that reads failures aloud, from your own Twilio account, at its cost.',
    },
    pl: {
      name: 'Połączenie przez Twilio',
      description: 'Telefon, który odczytuje awarie, z własnego konta Twilio, na jego koszt.',
    },
  },
  style: 'sms',
  vendor: twilioPlace,
  fields: {
    ...accountFields,
    from: telephone({
      en: { label: 'From', description: 'A number of the account that can call.' },
      pl: { label: 'Dzwoniący', description: 'Numer z konta, który może dzwonić.' },
    }),
    to: telephone({
      en: { label: 'To', description: 'The phone that rings.' },
      pl: { label: 'Odbiorca', description: 'Telefon, który dzwoni.' },
    }),
  },
  tells({ condition, incident }) {
    // A failure that quiet hours suppressed rings after they end, if it still lasts.
    const isHeldBack = condition === 'silent_failure' && incident !== undefined
    return condition === 'failure' || condition === 'test' || isHeldBack
  },
  label: ({ to }) => to,
  detect: (pasted) => pastedAccount(pasted, 'call'),
  request({ text, language = 'en' }, { from, to, ...account }) {
    const said = cutEscaped(text, longestText, escapeHtml)
    const speech = `<Say language="${voices[language]}" loop="2">${said}</Say>`
    return twilioRequest(account, 'Calls', {
      ...{ From: from, To: to },
      Twiml: `<Response><Pause length="1"/>${speech}</Response>`,
    })
  },
  read: saidByTwilio,
})
