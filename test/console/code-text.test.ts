import { expect, test } from 'vitest'
import { curlOf, withoutSecrets, yamlOf } from '../../web/parts/code-text.ts'

test('secrets become placeholders, wherever they stand', () => {
  const body = {
    name: 'Shop',
    password: 'hunter2',
    extended_settings: {
      headers: 'Accept: text/html\nAuthorization: Bearer abc\nX-Api-Key: abc',
      url: 'https://shop:hunter2@example.com/',
      pairs: [{ name: 'Cookie', value: 'session=abc' }],
    },
  }
  const shown = withoutSecrets(body)
  expect(JSON.stringify(shown)).not.toMatch(/hunter2|abc/)
  expect(shown).toMatchObject({
    name: 'Shop',
    password: 'PASSWORD',
    extended_settings: { headers: 'Accept: text/html\nAuthorization: SECRET\nX-Api-Key: SECRET' },
  })
})

test('a command survives every sign of a shell, and YAML every text', () => {
  expect(curlOf({ method: 'PUT', path: '/groups/1', body: { name: "O'Neil $(x)" } }, 'https://a.example')).toContain(
    `'{\n  "name": "O'\\''Neil $(x)"\n}'`,
  )
  expect(yamlOf({ no: 'yes', list: [1, { a: null }], none: [] })).toBe(
    '\n"no": "yes"\nlist:\n  - 1\n  -\n    a: null\nnone: []',
  )
})
