import { describe, expect, test } from 'vitest'
import { serviceTypes } from '../../src/checks/index.ts'
import { type DictionaryName, dictionaries, languageIds } from '../../src/domain/dictionaries.ts'
import { problemDetails, problemSymbols } from '../../src/domain/input/problem-codes.ts'
import { errorTypeText } from '../../src/wording/error-types.ts'
import { counted, fill } from '../../src/wording/fill.ts'
import { languageOf } from '../../src/wording/language.ts'
import { catalogues, dictionaryElements, problemDescription, problemText } from '../../src/wording/texts.ts'

const dictionaryNames = Object.keys(dictionaries) as DictionaryName[]

describe('problems', () => {
  test.each(problemSymbols)(
    '%s has a sentence in both languages, with and without facts, and a description',
    (symbol) => {
      for (const language of languageIds) {
        const bare = problemText(symbol, language)
        expect(bare).toMatch(/^\p{Lu}.*\.$/u)
        expect(bare).not.toContain('{')
      }
      expect(problemText(symbol, 'pl')).not.toBe(problemText(symbol, 'en'))
      expect(problemDescription(symbol)).toMatch(/\.$/)
    },
  )

  test.each(problemSymbols)('the wordings of %s name the same facts in both languages', (symbol) => {
    const [polish, english] = [catalogues.pl, catalogues.en].map(({ problems }) =>
      problems.users[symbol].map((text) => (text.match(/\{\w+\}/g) ?? []).toSorted()),
    )
    expect(polish).toEqual(english)
  })

  test.each(problemDetails)('the detail %s says what is expected, in both languages', (detail) => {
    for (const language of languageIds) {
      const text = problemText('incorrect_value', language, { detail })
      expect(text.length).toBeGreaterThan(problemText('incorrect_value', language).length + 20)
      expect(text).toMatch(/\.$/)
    }
  })

  test('facts choose the most telling wording', () => {
    expect(problemText('incorrect_value', 'en', { minimum: 1, maximum: 9 })).toContain('between 1 and 9')
    expect(problemText('incorrect_value', 'en', { minimum: 1, maximum: null })).toContain('at least 1')
    expect(problemText('incorrect_value', 'en', { maximum: 9 })).toContain('at most 9')
    expect(problemText('limit_exceeded', 'pl', { limit: 'maximum_services', value: 0 })).toContain(
      'maximum_services: 0',
    )
  })

  test('what a client sends into a fact is never read as a placeholder', () => {
    expect(problemText('incorrect_value', 'en', { allowed: '{detail}', detail: 'address_port' })).toContain('{detail}')
  })

  test('an unknown symbol reads as a fault of ours', () => {
    expect(problemText('toString', 'en')).toBe(problemText('internal_error', 'en'))
  })
})

describe('dictionaries', () => {
  test.each(dictionaryNames)('every element of %s has a name and a description in both languages', (name) => {
    for (const language of languageIds) {
      const elements = dictionaryElements(name, language)
      expect(elements.map(({ id }) => id)).toEqual(dictionaries[name])
      for (const element of elements) {
        expect(element.name).not.toBe('')
        expect(element.description).not.toBe('')
      }
    }
  })

  test('zones are described in the language of the reader', () => {
    const warsaw = (language: 'pl' | 'en') =>
      dictionaryElements('time_zones', language).find(({ id }) => id === 'europe_warsaw')
    expect(warsaw('en')).toEqual({ id: 'europe_warsaw', name: 'Europe/Warsaw', description: 'Central European Time' })
    expect(warsaw('pl')?.description).toBe('czas środkowoeuropejski')
  })
})

describe('service types', () => {
  test.each(serviceTypes)('$id and its settings are described in both languages', (type) => {
    for (const language of languageIds) {
      expect(type.name[language]).not.toBe('')
      for (const format of type.settings) {
        const { label, description } = format.words[language]
        expect(label, format.setting_id).toMatch(/^\p{Lu}.{1,39}$/u)
        expect(label, format.setting_id).not.toMatch(/[.,;]$/)
        expect(description, format.setting_id).toMatch(/^\p{Lu}.+\.$/u)
      }
    }
  })
})

test('a type for IPv6 alone is named after the one beside it', () => {
  const ids = ['tcp_connect', 'tcp_connect_ipv6']
  const names = serviceTypes.filter(({ id }) => ids.includes(id)).map(({ name }) => name.pl)
  expect(names).toEqual(['Połączenie TCP', 'Połączenie TCP, IPv6'])
})

describe('the formatter', () => {
  test('takes the first wording whose facts are known', () => {
    expect(fill(['{a} {b}', '{a}', 'none'], { a: 0 })).toBe('0')
    expect(fill(['{a}', 'none'], { a: null })).toBe('none')
    expect(fill(['{constructor}', 'none'], {})).toBe('none')
  })

  test.each([
    [1, '1 station', '1 stacji'],
    [2, '2 stations', '2 stacji'],
    [5, '5 stations', '5 stacji'],
    [22, '22 stations', '22 stacji'],
  ])('counts %i', (count, english, polish) => {
    expect(counted('en', count, catalogues.en.notices.sensors)).toBe(english)
    expect(counted('pl', count, catalogues.pl.notices.sensors)).toBe(polish)
  })

  test('an unknown language reads as English', () => {
    expect([languageOf('pl'), languageOf('en'), languageOf('de'), languageOf(null)]).toEqual(['pl', 'en', 'en', 'en'])
  })
})

test('a refused redirect is not said of the address of the service', () => {
  const texts = languageIds.map((language) => errorTypeText('sensor_redirect_refused', language).description)
  expect(texts).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^A redirect, the page or the scenario leads on to a private/),
      expect.stringMatching(/^Przekierowanie, strona lub scenariusz prowadzi dalej/),
    ]),
  )
})

test('an interval that is too short is called too short in both languages', () => {
  const messages = languageIds.map((language) => problemText('interval_too_short', language, { minimum: 60 }))
  expect(messages).toEqual(
    expect.arrayContaining([
      'The interval is too short: at least 60 seconds.',
      'Odstęp między analizami jest za krótki, najkrótszy dozwolony w sekundach: 60.',
    ]),
  )
})
