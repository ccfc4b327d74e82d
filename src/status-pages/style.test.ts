import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contrast } from '../domain/status-pages/contrast.ts'
import { accentsOf, styleOf } from './style.ts'

/** The variables of each scheme; the first one is light. */
function schemesOf(accent: string | null): readonly ReadonlyMap<string, string>[] {
  return [...styleOf(accent).matchAll(/:root \{([^}]*)\}/g)].map(
    ([, rules = '']) =>
      new Map([...rules.matchAll(/--(\w+): (#[0-9a-f]{6});/g)].map(([, name = '', color = '']) => [name, color])),
  )
}

const texts = ['ink', 'dim', 'accent', 'ok', 'little', 'much', 'works'] as const

/** Texts that cannot be read on a ground where they stand. */
function unreadable(accent: string | null): readonly string[] {
  const schemes = schemesOf(accent)
  expect(schemes).toHaveLength(2)
  return schemes.flatMap((colors, scheme) =>
    texts.flatMap((text) =>
      ['ground', 'sheet'].flatMap((ground) => {
        const [color, under] = [colors.get(text), colors.get(ground)]
        if (color === undefined || under === undefined) throw new Error(`There is no color ${text} or ${ground}.`)
        return contrast(color, under) < 4.5 ? [`${text} on ${ground} in scheme ${scheme}`] : []
      }),
    ),
  )
}

test('every text of a page can be read on the page and on its sheets, with the usual accent', () => {
  expect(unreadable(null)).toEqual([])
})

test('and with whatever accent its owner chooses', () => {
  const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)
  fc.assert(
    fc.property(color, (accent) => {
      expect(unreadable(accent)).toEqual([])
    }),
  )
})

test('an accent that can be read stays as it is', () => {
  expect(accentsOf('#0b5c83').light).toBe('#0b5c83')
  expect(accentsOf('#ffe680').dark).toBe('#ffe680')
})
