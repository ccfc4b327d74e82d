// Writes the table of tools in docs/assistants.md; --check only tells whether it is what the code says.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isWrite } from '../src/assistants/tool.ts'
import { describeTool } from '../src/assistants/toolbox.ts'
import { tools } from '../src/assistants/tools.ts'
import { declaredResources } from '../src/program/interface-description.ts'
import { allOperations } from '../src/rest/routes.ts'
import { keepGenerated, markdownTable } from './generated.ts'

const registry = declaredResources()
const operations = new Map(allOperations(registry).map((operation) => [operation.id, operation]))

function operation(id: string) {
  const found = operations.get(id)
  if (found === undefined) throw new Error(`No operation is called ${id}.`)
  return found
}

const rows = tools.map((tool) => {
  const { inputSchema, description } = describeTool(tool, { registry, operation }, 'en')
  const required = Array.isArray(inputSchema['required']) ? inputSchema['required'] : []
  const given = Object.keys(tool.arguments).map((name) => (required.includes(name) ? `**${name}**` : name))
  const { scope = '' } = operation(tool.operation)
  return [`\`${tool.name}\``, scope, isWrite(tool) ? 'yes' : '', description, given.join(', ')]
})

const [begin, end] = ['<!-- tools: written by `npm run docs` -->', '<!-- end of tools -->']
const page = readFileSync(fileURLToPath(new URL('../docs/assistants.md', import.meta.url)), 'utf8')
const [before, after] = [page.split(begin)[0], page.split(end)[1]]
if (before === undefined || after === undefined) throw new Error('docs/assistants.md has no place for its table.')
const table = markdownTable(['tool', 'scope', 'is confirmed', 'about', 'arguments (needed ones are bold)'], rows)

keepGenerated('assistants.md', `${before}${begin}\n\n${table}\n\n${end}${after}`, 'npm run docs')
