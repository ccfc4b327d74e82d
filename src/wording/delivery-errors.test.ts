import { describe, expect, test } from 'vitest'
import { deliveryErrorText } from './delivery-errors.ts'

describe('why a message was not delivered is told in the language of the reader', () => {
  test.each([
    ['The SMS gateway answered 400: no such number', 'Bramka SMS: odpowiedź 400: no such number'],
    [
      'The SMS gateway was not reached: the gateway took too long',
      'Bramka SMS: brak połączenia: bramka odpowiadała zbyt długo',
    ],
    [
      'It could not be delivered within 24 hours: connect ECONNREFUSED 127.0.0.1:25',
      'Nie udało się jej doręczyć w ciągu 24 godzin: połączenie odrzucone (127.0.0.1:25)',
    ],
    ['Webhook was not reached: the address is not a public one', 'Webhook: brak połączenia: adres nie jest publiczny'],
    ['The address is switched off', 'Adres jest wyłączony'],
    ['"a b" is not an e-mail address', '"a b" nie jest adresem e-mail'],
    ['550 no such mailbox', '550 no such mailbox'],
    ['', ''],
  ])('%s', (kept, pl) => {
    expect(deliveryErrorText(kept, 'pl')).toBe(pl)
    expect(deliveryErrorText(kept, 'en')).toBe(kept)
  })

  test('a hostile answer is copied, whatever it looks like, and takes no time', () => {
    const said = `{who} $& ${'was not reached: '.repeat(200)}`
    expect(deliveryErrorText(`The SMS gateway answered 500: ${said}`, 'pl')).toContain('Bramka SMS: ')
  })
})
