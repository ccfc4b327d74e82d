import type { Executor } from '../../database/connect.ts'
import {
  type ComponentOfPage,
  componentsOf,
  forgetComponent,
  hasSource,
} from '../../database/status-pages/status-pages.ts'
import { countLimits } from '../../domain/input/count-limits.ts'
import type { Problem } from '../../domain/input/problem.ts'
import { type ComponentSource, componentStatuses, sourceProblems } from '../../domain/status-pages/status-page.ts'
import type { Call } from '../../rest/call.ts'
import { resource, type Writing } from '../../rest/declare.ts'
import { boolean, integer, text } from '../../rest/fields.ts'
import { nameField } from '../on-call/references.ts'
import { componentActions, confirmationFields } from './component-confirmation.ts'
import {
  firstFields,
  isDifferent,
  lastFields,
  type PageFacts,
  pageFacts,
  pageProblems,
  partOf,
  partWriting,
} from './page-parts.ts'

interface Component extends ComponentSource, Readonly<Record<string, unknown>> {
  readonly id: number
  readonly status_page_id: number
  readonly parent_id: number | null
  readonly position: number
}

const sources = ['service_id', 'group_id', 'tag'] as const

interface Facts extends PageFacts {
  readonly others: readonly ComponentOfPage[]
  /** Named things that the owner of the page does not have. */
  readonly missing: readonly string[]
}

async function facts(
  transaction: Executor,
  call: Call,
  given: Partial<Component>,
  before: Component | null,
): Promise<Facts> {
  const page = await pageFacts(transaction, call, given, before)
  const missing: string[] = []
  for (const name of sources) {
    const value = given[name]
    if (value == null || value === before?.[name] || page.pageOwnerId === null) continue
    if (!(await hasSource(transaction, page.pageOwnerId, [name, value]))) missing.push(name)
  }
  return { ...page, missing, others: await componentsOf(transaction, page.pageId) }
}

/** Groups of a page are one level deep, and a group has no status but that of its parts. */
function placeProblems(row: Partial<Component>, { others }: Facts, id: number | null): readonly Problem[] {
  const wrong = (field: string): Problem => ({ error: 'incorrect_value', field, facts: { detail: 'component_parent' } })
  const isGroup = id !== null && others.some((other) => other.parent_id === id)
  const source = [...sources, 'status' as const].find((name) => row[name] != null)
  if (isGroup && source !== undefined) return [wrong(`data.${source}`)]
  if (row.parent_id == null) return []
  const parent = others.find((other) => other.id === row.parent_id)
  const isRight = parent !== undefined && parent.parent_id === null && !parent.has_source && parent.id !== id
  return isRight && !isGroup ? [] : [wrong('data.parent_id')]
}

const defaults = {
  ...{ parent_id: null, description: '', service_id: null, group_id: null, tag: null, status: null },
  ...{ only_show_if_degraded: false, start_date: null },
} as const

const write: Writing<Component, Facts> = {
  ...partWriting,
  countLimit: { count: countLimits.statusPageComponents, per: 'status_page_id' },
  facts,
  complete: (given, before, { others, now }) => ({
    row: {
      ...(before === null ? { ...defaults, position: others.length, created_at: now } : {}),
      ...given,
      ...(isDifferent(given, before) ? { updated_at: now } : {}),
    },
    problems: [],
  }),
  rules: (row, known, before) => [
    ...pageProblems(row, known),
    ...sourceProblems(row),
    ...known.missing.map((name) => ({
      error: 'incorrect_value',
      field: `data.${name}`,
      facts: { detail: 'object_of_owner' } as const,
    })),
    ...placeProblems(row, known, before?.id ?? null),
  ],
  async removing(transaction, _call, { id, status_page_id: pageId }) {
    await forgetComponent(transaction, pageId, id)
    return []
  },
}

export const statusPageComponents = resource('status_page_components', {
  ...partOf('status_page_components'),
  about:
    'Lines of a status page: each shows a service, the services of a group or with a tag, or a status that people set. One that shows nothing may be the parent of others, under which they are folded. The public sees the name and the description that are written here, and nothing else of a service.',
  singular: 'status page component',
  making: 'Its page exists already.',
  fields: {
    ...firstFields,
    parent_id: integer({
      about: 'The component under which it is folded.',
      nullable: true,
      filter: true,
      example: null,
    }),
    position: integer({
      about: 'Its order among its neighbours. Default: the last.',
      filter: true,
      sort: true,
      example: 1,
    }),
    name: { ...nameField, about: 'Public.', example: 'Shop' },
    description: text({
      about: 'Public, plain text.',
      multiline: true,
      maximumLength: 1000,
      example: 'Baskets and payments.',
    }),
    service_id: integer({
      about: "A service of the page's owner.",
      nullable: true,
      filter: true,
      minimum: 1,
      example: null,
    }),
    group_id: integer({
      about: 'The services of a group that are not archived.',
      nullable: true,
      filter: true,
      minimum: 1,
      example: null,
    }),
    tag: text({ about: 'The services with a tag.', nullable: true, filter: true, maximumLength: 50, example: null }),
    status: text({
      about: 'The status of a component that people watch; null for others.',
      nullable: true,
      oneOf: componentStatuses,
      filter: true,
      example: 'operational',
    }),
    only_show_if_degraded: boolean({ about: 'Whether it is hidden while it is operational.', example: false }),
    start_date: text({
      about: 'The first day of its bars; null: of its service.',
      nullable: true,
      pattern: /^\d{4}-\d\d-\d\d$/,
      detail: 'date',
      example: null,
    }),
    ...confirmationFields,
    ...lastFields,
  },
  configuration: {
    within: { resource: 'status_pages', member: 'components', field: 'status_page_id' },
    ownerOf: { table: 'status_pages', field: 'status_page_id' },
    heldBy: ['parent_id'],
    references: {
      parent_id: { to: 'status_page_components' },
      service_id: { to: 'services' },
      group_id: { to: 'groups' },
      tag: { to: 'tags', by: 'name', isOpen: true, isCopied: true },
    },
  },
  write,
  actions: componentActions,
})
