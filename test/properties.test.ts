import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const rows = readFileSync('docs/properties.md', 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, law, file, title] = /^\| (.+?) \| `(.+?)` \| (.+) \|$/.exec(line) ?? []
    return law === undefined || file === undefined || title === undefined ? [] : [{ law, file, title }]
  })

test.each(rows)('$law', ({ file, title }) => {
  expect(readFileSync(file, 'utf8')).toContain(`'${title}',`)
})

test('the page of properties is read', () => {
  expect(rows.length).toBeGreaterThan(30)
})
