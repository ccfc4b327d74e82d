import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { asSms, gsm7Length } from './sms-text.ts'

/** The table of GSM 03.38 by code points, 0x00 to 0x7f without the escape at 0x1b. */
const defaultAlphabet = [
  ...[0x40, 0xa3, 0x24, 0xa5, 0xe8, 0xe9, 0xf9, 0xec, 0xf2, 0xc7, 0x0a, 0xd8, 0xf8, 0x0d, 0xc5, 0xe5],
  ...[0x394, 0x5f, 0x3a6, 0x393, 0x39b, 0x3a9, 0x3a0, 0x3a8, 0x3a3, 0x398, 0x39e, 0xc6, 0xe6, 0xdf, 0xc9],
  ...Array.from({ length: 0x20 }, (_, index) => (index === 4 ? 0xa4 : 0x20 + index)),
  ...[0xa1, ...Array.from({ length: 26 }, (_, index) => 0x41 + index), 0xc4, 0xd6, 0xd1, 0xdc, 0xa7],
  ...[0xbf, ...Array.from({ length: 26 }, (_, index) => 0x61 + index), 0xe4, 0xf6, 0xf1, 0xfc, 0xe0],
].map((code) => String.fromCodePoint(code))
const extension = [...'\f^{}\\[~]|€']

const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.string({ unit: fc.constantFrom(...'aZ 0€[ąłŻ„…😀\ud800\u0301'), maxLength: 300 }),
)

/** True if a gateway would send it as one message. */
function isOneMessage(text: string): boolean {
  const septets = gsm7Length(text)
  return septets === null ? text.length <= 70 : septets <= 160
}

test('the default alphabet is whole: 127 characters of one unit, ten of two, and none beside them', () => {
  expect(new Set(defaultAlphabet).size).toBe(127)
  for (const character of defaultAlphabet) expect([character, gsm7Length(character)]).toEqual([character, 1])
  for (const character of extension) expect([character, gsm7Length(character)]).toEqual([character, 2])
  const known = new Set([...defaultAlphabet, ...extension])
  for (let code = 0; code < 0x2_0000; code += 1) {
    const character = String.fromCodePoint(code)
    if (!known.has(character) && gsm7Length(character) !== null) expect.fail(`U+${code.toString(16)} is not in GSM 7`)
  }
})

describe('one message', () => {
  test('is never more than one, whatever the text', () => {
    fc.assert(
      fc.property(texts, fc.boolean(), (text, isTransliterated) => {
        expect(isOneMessage(asSms(text, isTransliterated, 1))).toBe(true)
      }),
    )
  })

  test('is the text itself when it fits and nothing is transliterated', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const whole = text.normalize('NFC')
        fc.pre(!/\p{Cs}/u.test(whole) && isOneMessage(whole))
        expect(asSms(text, false, 1)).toBe(whole)
      }),
    )
  })

  test('begins as the text does', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const kept = asSms(text, false, 1).replace(/(…|\.\.\.)$/, '')
        expect(
          text
            .normalize('NFC')
            .replace(/\p{Cs}/gu, '\ufffd')
            .startsWith(kept),
        ).toBe(true)
      }),
    )
  })

  test('is always well formed', () => {
    fc.assert(
      fc.property(texts, fc.boolean(), (text, isTransliterated) => {
        expect(asSms(text, isTransliterated, 1)).not.toMatch(/\p{Cs}/u)
      }),
    )
  })

  test.each([
    ['a'.repeat(160), 'a'.repeat(160)],
    ['a'.repeat(161), `${'a'.repeat(157)}...`],
    ['€'.repeat(80), '€'.repeat(80)],
    ['€'.repeat(81), `${'€'.repeat(78)}...`],
    ['ą'.repeat(70), 'ą'.repeat(70)],
    ['ą'.repeat(71), `${'ą'.repeat(69)}…`],
    ['😀'.repeat(35), '😀'.repeat(35)],
    ['😀'.repeat(36), `${'😀'.repeat(34)}…`],
  ])('of %j is cut at whole characters', (text, expected) => {
    expect(asSms(text, false, 1)).toBe(expected)
  })
})

describe('transliteration', () => {
  test.each([
    ['zażółć gęślą jaźń ZAŻÓŁĆ GĘŚLĄ JAŹŃ', 'zazolc gesla jazn ZAZOLC GESLA JAZN'],
    ['za\u017co\u0301łc\u0301', 'zazolc'],
    ['„Sklep” – znów…', '"Sklep" - znow...'],
    ['Größe, à la carte, Ångström', 'Größe, à la carte, Ångström'],
    ['5\u00a0min → œuvre ½', '5 min -> oeuvre 1/2'],
  ])('of %j is %j', (text, expected) => {
    expect(asSms(text, true, 1)).toBe(expected)
  })

  test('is left out when letters of another script need UCS-2 anyway', () => {
    expect(asSms('Магазин żółw', true, 1)).toBe('Магазин żółw')
  })

  test('is left out by choice, and then a message holds less', () => {
    expect(asSms(`ż${'a'.repeat(99)}`, false, 1)).toBe(`ż${'a'.repeat(68)}…`)
    expect(asSms(`ż${'a'.repeat(99)}`, true, 1)).toBe(`z${'a'.repeat(99)}`)
  })
})
