import type { Page } from './pages.ts'
import type { SectionName } from './words.ts'

/** The order of pages in a section. Names are paths below docs/ without `.md`; other pages follow by their titles. */
const order = {
  start: ['guide/first-steps'],
  guides: [
    'guide/alerts',
    'guide/failures',
    'guide/maintenance',
    'guide/heartbeats',
    'guide/status-page',
    'guide/as-code',
  ],
  channels: ['channels/index'],
  reference: [
    'checks',
    'assertions',
    'heartbeats',
    'degraded',
    'expiry',
    'dependencies',
    'tags',
    'escalations',
    'templates',
    'status-pages',
    'configuration-as-code',
    'webhooks',
    'event-stream',
    'api-keys',
    'clients',
    'assistants',
    'passkeys',
    'importing',
    'audit-log',
    'errors',
  ],
  api: ['api/index'],
  operating: ['installing', 'operations', 'sizes', 'oidc', 'figures', 'security'],
  inside: [
    'design',
    'terms',
    'choices',
    'answers',
    'properties',
    'testing',
    'api-coverage',
    'contributing',
    'releasing',
    'licences',
    'changelog',
  ],
} as const satisfies Readonly<Record<SectionName, readonly string[]>>

export const orderedNames: readonly string[] = Object.values(order).flat()

const sectionNames = Object.keys(order) as readonly SectionName[]

/** Folders whose pages belong together. */
const folders: Readonly<Record<string, SectionName>> = { channels: 'channels', guide: 'guides', api: 'api' }

/** The home page belongs to no section. A page that no list names belongs to its folder's section, or the reference. */
export function sectionOf(name: string): SectionName | null {
  if (name === 'index') return null
  const listed = sectionNames.find((section) => (order[section] as readonly string[]).includes(name))
  return listed ?? folders[name.split('/')[0] ?? ''] ?? 'reference'
}

function rank(name: string): number {
  const place = orderedNames.indexOf(name)
  return place === -1 ? orderedNames.length : place
}

/** The pages of one language by section, in the order of reading. */
export function sectionsOf(pages: readonly Page[]): ReadonlyMap<SectionName, readonly Page[]> {
  const ordered = pages.toSorted(
    (one, other) => rank(one.name) - rank(other.name) || one.label.localeCompare(other.label, 'en'),
  )
  return new Map(
    sectionNames.map((section) => [section, ordered.filter(({ name }) => sectionOf(name) === section)] as const),
  )
}
