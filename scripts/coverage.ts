import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { declaredResources } from '../src/program/interface-description.ts'
import type { Operation } from '../src/rest/call.ts'
import type { Registry } from '../src/rest/declare.ts'
import { allOperations, componentOf, operationsOf } from '../src/rest/routes.ts'
import { type Duty, duties } from '../test/contract/duties.ts'
import { mentionsIn } from './mentions.ts'

/** A row of the table of interface 3.51: S is named in the specification, s implied by it, N is newer. */
export interface Endpoint {
  readonly tag: string
  readonly method: string
  readonly path: string
  readonly class: 'S' | 's' | 'N'
}

export interface Covered {
  /** Undefined for an operation of ours that the table does not have. */
  readonly endpoint: Endpoint | undefined
  /** Undefined where the program lacks it. */
  readonly operation: Operation | undefined
  /** The duties that operations.test.ts checks. */
  readonly duties: readonly Duty[]
  /** The further generated tests that hold it to its declaration, relative to test/. */
  readonly contract: readonly string[]
  /** Tests of behaviour that call the operation, relative to test/. */
  readonly behaviour: readonly string[]
}

/** Why rows of the table are not here: the first reason whose pattern fits the path. */
export const reasons: readonly (readonly [RegExp, string])[] = [
  [
    /event|^\/services\/\{_id\}\/event_/,
    'Interface 3.51 lets users define events over several services. Here a dependency (`parent_ids`), a tag and an escalation say the same, and nothing is an event.',
  ],
  [
    /^\/mobile|mobile_devices_count$/,
    "Push messages of the vendor's own app. Here `web_push`, ntfy, Gotify and Pushover do that.",
  ],
  [/customer_portal_sessions$/, 'The billing portal of the vendor.'],
  [/report_template_variables/, 'Names of reports have no variables here.'],
  [/schedule_custom_analysis$/, 'The table gives it the meaning of `force_custom_analysis`, which is here.'],
]

const tests = fileURLToPath(new URL('../test/', import.meta.url))

export function endpointTable(): readonly Endpoint[] {
  const lines = readFileSync(join(tests, 'contract/endpoints.tsv'), 'utf8').trimEnd().split('\n')
  return lines.map((line) => {
    const [tag = '', method = '', path = '', kind = ''] = line.split('\t')
    if (kind !== 'S' && kind !== 's' && kind !== 'N') throw new Error(`No row of the table: ${line}`)
    return { tag, method, path, class: kind }
  })
}

/** The generated tests of the contract hold for everything and tell nothing of one operation's own behaviour. */
function behaviourTests(): readonly string[] {
  return readdirSync(tests, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts') && !name.startsWith('contract/'))
    .toSorted()
}

/** The names of parameters differ between the table and the program. */
function keyOf({ method, path }: { readonly method: string; readonly path: string }): string {
  return `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`
}

function dutiesOf(operation: Operation): readonly Duty[] {
  return (Object.keys(duties).map(Number) as Duty[]).filter((duty) => duties[duty].of(operation))
}

/** Derived operations are tested from their declaration; operations written by hand are not. */
function contractTests(registry: Registry): ReadonlyMap<string, readonly string[]> {
  const writes: readonly string[] = ['create', 'update', 'remove']
  return new Map(
    registry.all.flatMap((resource) =>
      operationsOf(resource, registry)
        .filter((operation) => !resource.actions.includes(operation) && operation.id !== `${componentOf(resource)}.put`)
        .map(({ id }) => {
          const isWrite = writes.some((name) => id === `${componentOf(resource)}.${name}`)
          return [id, [isWrite ? 'contract/writes.test.ts' : 'contract/resources.test.ts']] as const
        }),
    ),
  )
}

export interface Coverage {
  /** Every row of the table that the specification names or implies. */
  readonly specified: readonly Covered[]
  /** Operations of the program beyond them. */
  readonly further: readonly Covered[]
  /** Rows of the table that the program does not have. */
  readonly absent: readonly Endpoint[]
}

export function coverage(): Coverage {
  const registry = declaredResources()
  const operations = allOperations(registry)
  const contract = contractTests(registry)
  const byKey = new Map(operations.map((operation) => [keyOf(operation), operation]))
  const files = behaviourTests().map((name) => ({
    name,
    mentions: mentionsIn(readFileSync(join(tests, name), 'utf8'), operations),
  }))
  const covered = (endpoint: Endpoint | undefined, operation: Operation | undefined): Covered => ({
    endpoint,
    operation,
    duties: operation === undefined ? [] : dutiesOf(operation),
    contract: contract.get(operation?.id ?? '') ?? [],
    behaviour: files
      .filter(({ mentions }) => operation !== undefined && mentions.has(operation.id))
      .map(({ name }) => name),
  })
  const table = endpointTable()
  const endpoints = new Map(table.map((endpoint) => [keyOf(endpoint), endpoint]))
  return {
    absent: table.filter((endpoint) => !byKey.has(keyOf(endpoint))),
    specified: table
      .filter((endpoint) => endpoint.class !== 'N')
      .map((endpoint) => covered(endpoint, byKey.get(keyOf(endpoint)))),
    further: operations
      .map((operation) => covered(endpoints.get(keyOf(operation)), operation))
      .filter(({ endpoint }) => endpoint === undefined || endpoint.class === 'N'),
  }
}
