import { expirationDuration, passwordLength } from '../../domain/access/credentials.ts'
import { integer, text } from '../../rest/fields.ts'

const passwordBounds = { minimumLength: passwordLength.minimum, maximumLength: passwordLength.maximum } as const

/** A password to be set. */
export const newPassword = {
  ...passwordBounds,
  multiline: true,
  about: `${passwordLength.minimum} to ${passwordLength.maximum} characters.`,
  example: 'correct horse battery',
} as const

/** The code of a second factor; recovery codes are longer than the application's. */
export const code = text({
  multiline: true,
  about: 'Six digits of the authenticator application, or a recovery code.',
  maximumLength: 40,
  example: '123456',
})

/** The input of a login. A text that cannot be a name or password is simply wrong, like any other. */
export const username = text({ required: true, multiline: true, maximumLength: 64, example: 'alice' })
export const password = text({ required: true, multiline: true, maximumLength: 256, example: 'correct horse battery' })
export const lifeSeconds = integer({
  about: 'Seconds; every call extends the session by it.',
  minimum: expirationDuration.minimum,
  maximum: expirationDuration.maximum,
  example: 3600,
})
