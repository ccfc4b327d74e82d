import { gateway } from '../declare.ts'
import { connectSms, smsContradictions } from './providers.ts'
import { smsVariables } from './variables.ts'

export const sms = gateway({
  id: 'sms',
  name: 'SMS',
  channels: [
    {
      id: 'sms',
      words: {
        en: { name: 'SMS', description: 'A text message.' },
        pl: { name: 'SMS', description: 'Wiadomość tekstowa.' },
      },
      address: {
        pattern: /^\+?[0-9][0-9 -]{5,18}[0-9]$/,
        expected: {
          en: 'Expected a phone number, for example +48 600 000 000.',
          pl: 'Oczekiwany jest numer telefonu, na przykład +48 600 000 000.',
        },
        destination: (address) => address.replaceAll(/\D/g, '').replace(/^00/, ''),
      },
      style: 'sms',
      isUsual: true,
      isMetered: true,
    },
  ],
  variables: smsVariables,
  needs: 'SMS_GATEWAY_URL',
  contradictions: smsContradictions,
  connect: connectSms,
  perMinute: ({ SMS_RATE }) => SMS_RATE,
})
