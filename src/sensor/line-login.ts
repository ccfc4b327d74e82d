import { Failure } from '../outgoing/failure.ts'
import type { Conversation } from './conversation.ts'
import { readOptionalText } from './settings.ts'

export interface LineLogin {
  readonly username: string
  readonly password: string
}

/** The settings `username` and `password` for a protocol of lines; null without a username. */
export function readLineLogin({ settings }: Conversation): LineLogin | null {
  const username = readOptionalText(settings, 'username')
  const password = readOptionalText(settings, 'password') ?? ''
  if (username === null) return null
  if (/[\r\n\0]/.test(`${username}${password}`)) throw new Failure('setting_invalid', 'a login of more than one line')
  return { username, password }
}
