import { variable, wholeNumber } from '../config/variable.ts'

/** The variable for a gateway's rate limit per minute. `messages`: the plural name of its messages. */
export function rateVariable(messages: string) {
  return variable({
    defaultText: undefined,
    wrongText: '1.5',
    schema: wholeNumber(1, 1_000_000),
    type: 'number',
    meaning: `Rate limit of this process: ${messages} per minute, spread evenly; unset: as many as the gateway accepts.`,
  })
}
