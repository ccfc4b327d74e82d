import { address, text, variable } from './variable.ts'

const mailFrom = /^([^<>@]+<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/

/** Those of mail. */
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
}
