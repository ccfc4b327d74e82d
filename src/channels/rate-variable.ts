import { variable, wholeNumber } from '../config/variable.ts'

/** How much a gateway is given in a minute. `messages`: what it carries, in the plural. */
export function rateVariable(messages: string) {
  return variable({
    defaultText: undefined,
    wrongText: '1.5',
    schema: wholeNumber(1, 1_000_000),
    type: 'number',
    meaning: `Most ${messages} a minute that this process sends, spread evenly; unset: as many as the gateway takes.`,
  })
}
