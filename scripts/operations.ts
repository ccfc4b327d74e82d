// Writes the tables of docs/operations.md that follow from the code; --check only tells whether they are what it says.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Variable } from '../src/config/variable.ts'
import { variables } from '../src/config/variables.ts'
import { metricCatalogue } from '../src/telemetry/catalogue.ts'
import { keepGenerated, markdownTable } from './generated.ts'

const code = (text: string) => `\`${text}\``

const tables = {
  metrics: markdownTable(
    ['metric', 'type', 'labels', 'meaning'],
    Object.entries(metricCatalogue).map(([name, { type, labels, meaning }]) => [
      ...[code(name), type, labels.map(code).join(' '), meaning],
    ]),
  ),
  variables: markdownTable(
    ['variable', 'default', 'type', 'meaning'],
    Object.entries<Variable<unknown>>(variables).map(([name, { defaultText, type, meaning }]) => [
      ...[code(name), defaultText === undefined ? 'unset' : code(defaultText), type, meaning],
    ]),
  ),
}

/** Puts the table between its two marks, which a page has once. */
function filled(page: string, name: string, table: string): string {
  const [begin, end] = [`<!-- ${name}: written by \`npm run docs\` -->`, `<!-- end of ${name} -->`]
  const parts = [page.split(begin), page.split(end)]
  if (parts.some(({ length }) => length !== 2))
    throw new Error(`docs/operations.md has no place for the table of ${name}.`)
  return `${page.split(begin)[0]}${begin}\n\n${table}\n\n${end}${page.split(end)[1]}`
}

const page = readFileSync(fileURLToPath(new URL('../docs/operations.md', import.meta.url)), 'utf8')
const text = Object.entries(tables).reduce((whole, [name, table]) => filled(whole, name, table), page)

keepGenerated('operations.md', text, 'npm run docs')
