import { expect, test } from 'vitest'
import { errorTypes } from '../domain/judging/error-types.ts'
import { errorTypeTexts } from './error-types.ts'

test.each(['en', 'pl'] as const)(
  'every type has a name, a description and a diagnosis of its own in %s',
  (language) => {
    const names = new Set<string>()
    for (const { symbol, stage } of errorTypes) {
      const { name, description, diagnosis } = errorTypeTexts[language][symbol]
      names.add(`${stage} ${name}`)
      expect(name.length, symbol).toBeLessThanOrEqual(40)
      expect(name, symbol).not.toMatch(/\.$/)
      for (const sentence of [description, diagnosis]) expect(sentence, symbol).toMatch(/^\S.*\S\.$/s)
    }
    expect(names.size).toBe(errorTypes.length)
  },
)
