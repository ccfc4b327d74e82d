import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chosenComponents, knownComponents } from './subscriber-components.ts'
import { exportColumns, mostRows, readTable, tableLine } from './subscriber-table.ts'

const row = { kind: '', componentIds: '', components: '', state: '' }

test('a table is read by the titles of its columns, in any order and with other columns between', () => {
  const read = readTable('Name,Kind,E-Mail,State\r\nAnna,email,anna@example.com,Confirmed\r\n\r\n"B, b",SLACK,x,\r\n')
  expect(read).toEqual({
    rows: [
      { ...row, line: 2, kind: 'email', address: 'anna@example.com', state: 'confirmed' },
      { ...row, line: 4, kind: 'slack', address: 'x' },
    ],
  })
})

test.each([
  ['a list of addresses', 'anna@example.com\nbob@example.com', [1, 2]],
  ['semicolons', 'kind;address\nemail;anna@example.com\n;bob@example.com', [2, 3]],
  ['tabs', 'kind\taddress\nemail\tanna@example.com\n\tbob@example.com', [2, 3]],
  ['a byte order mark', '\uFEFFaddress\r\nanna@example.com\r\nbob@example.com', [2, 3]],
  ['ends of lines of two kinds', 'address\nanna@example.com\r\nbob@example.com\r\n', [2, 3]],
  ['rows that are short or long', 'address,kind\nanna@example.com\nbob@example.com,email,more', [2, 3]],
])('%s', (_case, text, lines) => {
  const read = readTable(text)
  const rows = 'rows' in read ? read.rows : []
  expect(rows.map(({ address }) => address)).toEqual(['anna@example.com', 'bob@example.com'])
  expect(rows.map(({ line }) => line)).toEqual(lines)
})

test.each([
  ['nothing', '\n', { fault: 'subscriber_columns' }],
  ['no addresses', 'name,phone\nAnna,1', { fault: 'subscriber_columns' }],
  ['names of objects as titles', 'constructor,__proto__\na,b', { fault: 'subscriber_columns' }],
  ['a quotation mark that is not closed', 'address\n"anna@example.com\nbob', { fault: 'subscriber_table', line: 3 }],
  [
    'columns that cost more than they say',
    `address${',a'.repeat(100)}\n${'a@example.com\n'.repeat(9)}`,
    { fault: 'subscriber_columns' },
  ],
  ['too many rows', `address\n${'a@example.com\n'.repeat(mostRows + 1)}`, { fault: 'too_many' }],
])('%s is no table', (_case, text, fault) => {
  expect(readTable(text)).toMatchObject(fault)
})

test('no cell is a formula, and what was written is read again', () => {
  const text = fc.string({ maxLength: 20 }).map((cell) => cell.trim())
  const formula = fc
    .tuple(fc.constantFrom("'", '=', '+', '-', '@', "''=", '＝'), text)
    .map(([mark, rest]) => mark + rest)
  const address = fc.oneof(text, formula).filter((cell) => cell.trim() === cell && cell !== '')
  fc.assert(
    fc.property(fc.array(address, { minLength: 1, maxLength: 5 }), (addresses) => {
      const lines = addresses.map((one) => tableLine([one, 'email', '', '', 'confirmed', '', '', '']))
      for (const line of lines) expect(line.replace(/^"/, '')).not.toMatch(/^[=+\-@＝＋－＠]/)
      const read = readTable(tableLine(exportColumns) + lines.join(''))
      expect('rows' in read ? read.rows.map((one) => one.address) : read).toEqual(addresses)
    }),
  )
})

test('components are chosen by ids, else by names in any case; an unclear name is a fault', () => {
  const known = knownComponents([
    { id: 3, name: 'Shop' },
    { id: 7, name: 'API' },
    { id: 8, name: 'Twin' },
    { id: 9, name: 'twin' },
  ])
  const choose = (componentIds: string, components: string) => chosenComponents({ componentIds, components }, known)
  expect(choose('', '')).toEqual({ ids: [] })
  expect(choose('7 3', 'nothing')).toEqual({ ids: [7, 3] })
  expect(choose('', 'api; SHOP;')).toEqual({ ids: [7, 3] })
  expect(choose('4', '')).toEqual({ field: 'component_ids', detail: 'component_of_page' })
  expect(choose('', 'Cart')).toEqual({ field: 'components', detail: 'component_of_page' })
  expect(choose('', 'Twin')).toEqual({ field: 'components', detail: 'component_named_twice' })
})
