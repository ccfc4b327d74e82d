// Writes the table of operations and scopes in docs/api-keys.md; --check only tells whether it is what the code says.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { declaredResources } from '../src/program/interface-description.ts'
import { isForAnybody } from '../src/rest/keys.ts'
import { allOperations } from '../src/rest/routes.ts'
import { keepGenerated, markdownTable } from './generated.ts'

const rows = allOperations(declaredResources())
  .filter((operation) => !isForAnybody(operation))
  .map(({ method, path, id, scope = 'none', forNarrowedKeys }) => [
    `${method} \`${path}\``,
    `\`${id}\``,
    scope === 'none' ? 'no key' : `\`${scope}\``,
    forNarrowedKeys === true && scope !== 'none' ? 'yes' : '',
  ])

const [begin, end] = ['<!-- scopes: written by `npm run docs` -->', '<!-- end of scopes -->']
const page = readFileSync(fileURLToPath(new URL('../docs/api-keys.md', import.meta.url)), 'utf8')
const [before, after] = [page.split(begin)[0], page.split(end)[1]]
if (before === undefined || after === undefined) throw new Error('docs/api-keys.md has no place for its table.')
const table = markdownTable(['request', 'operation', 'scope', 'narrowed keys'], rows)

keepGenerated('api-keys.md', `${before}${begin}\n\n${table}\n\n${end}${after}`, 'npm run docs')
