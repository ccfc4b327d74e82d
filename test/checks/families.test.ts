import { expect, test } from 'vitest'
import { families, familyIds, serviceTypes } from '../../src/checks/index.ts'

test('the families come in their order, and each has types', () => {
  const ofDefault = serviceTypes.filter(({ category }) => category === 'default')
  expect([...new Set(ofDefault.map(({ family }) => family))]).toEqual(familyIds)
  expect(familyIds.length).toBeGreaterThan(5)
})

test('every type is found by words in both languages', () => {
  for (const { id, keywords, name } of serviceTypes) {
    expect(keywords.length, id).toBeGreaterThan(1)
    expect(new Set(keywords).size, id).toBe(keywords.length)
    expect(name.pl, id).not.toBe('')
  }
  const typesFor = (word: string) => serviceTypes.filter(({ keywords }) => keywords.includes(word)).map(({ id }) => id)
  expect(typesFor('certificate')).toEqual(expect.arrayContaining(['https', 'tls']))
  expect(typesFor('cron')).toEqual(['heartbeat'])
  for (const word of ['server', 'serwer']) expect(typesFor(word)).toEqual(expect.arrayContaining(['ping', 'ssh']))
  for (const { en, pl } of Object.values(families)) expect(en).not.toBe(pl)
})

test.each([
  ['databases', 'database', 'baza danych'],
  ['mail', 'email', 'poczta'],
  ['messaging', 'queue', 'kolejka'],
  ['browser', 'browser', 'przeglądarka'],
] as const)('the word of the family %s finds all of its types: %s, %s', (family, ...words) => {
  const members = serviceTypes.filter((type) => type.family === family)
  expect(members.length).toBeGreaterThan(1)
  for (const { id, keywords } of members)
    expect({ id, keywords }).toEqual({ id, keywords: expect.arrayContaining(words) })
})
