import { expect, test } from 'vitest'
import { csvParts } from './csv-parts.ts'

test('a table goes in parts with its titles, and each line is found in the file', () => {
  const text = 'address,note\r\na@x.pl,"two\nlines"\r\n\r\nb@x.pl,\nc@x.pl,'
  const parts = csvParts(text, 2)
  expect(parts).toEqual([
    { csv: 'address,note\na@x.pl,"two\nlines"\r\n\r\nb@x.pl,\n', rows: 2, lineOffset: 0 },
    { csv: 'address,note\nc@x.pl,', rows: 1, lineOffset: 4 },
  ])
  const [file, second] = [text.split('\n'), parts[1]?.csv.split('\n')]
  expect(second?.[1]).toBe(file[1 + 4])
})

test('a list of addresses has no titles', () => {
  expect(csvParts('a@x.pl\nb@x.pl\nc@x.pl\n', 2)).toEqual([
    { csv: 'a@x.pl\nb@x.pl\n', rows: 2, lineOffset: 0 },
    { csv: 'c@x.pl\n', rows: 1, lineOffset: 2 },
  ])
})

test('an empty file has no part, and one of titles alone is sent as it is', () => {
  expect(csvParts(' \n', 2)).toEqual([])
  expect(csvParts('\naddress\n', 2)).toEqual([{ csv: '\naddress\n', rows: 0, lineOffset: 0 }])
})
