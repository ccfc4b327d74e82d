import { address, text, variable, wholeNumber } from '../../config/variable.ts'
import { rateVariable } from '../rate-variable.ts'

const mailFrom = /^([^<>@]+<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/

/** Variables of mail. */
export const mailVariables = {
  SMTP_URL: variable({
    defaultText: undefined,
    wrongText: 'host:25',
    schema: address('smtp:', 'smtps:'),
    type: 'URL',
    isSecret: true,
    meaning: 'Mail server, `smtp://user:password@host:587`; unset: mails become `.eml` files in `DATA_DIR/outbox`.',
  }),
  MAIL_FROM: variable({
    defaultText: 'Latarnik <latarnik@localhost>',
    wrongText: 'nobody',
    schema: text.regex(mailFrom, 'must be an e-mail address, alone or as `Name <address>`'),
    type: 'e-mail address',
    meaning: 'Sender of all mails.',
  }),
  SMTP_CONNECTIONS: variable({
    defaultText: '10',
    wrongText: '0',
    schema: wholeNumber(1, 100),
    type: 'number',
    meaning: 'Largest number of connections to the mail server; each carries one mail after another.',
  }),
  SMTP_RATE: rateVariable('mails'),
}
