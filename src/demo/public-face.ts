/** The company's status page, its incidents, and the people who are told by tag; all through the API. */
import type { Made, StoryFacts } from './story-facts.ts'

/** Tags by the keys of services. */
const tags: Readonly<Record<string, readonly string[]>> = {
  ...{ home: ['sklep'], basket: ['sklep'], orders: ['sklep'], payments: ['sklep', 'pieniądze'] },
  ...{ page: ['sklep'], warehouse: ['magazyn'], backup: ['magazyn'] },
}

interface Component {
  /** The service that it shows; null: a heading. */
  readonly key: string | null
  readonly name: string
  readonly description?: string
  /** Stands under the last heading. */
  readonly isPart?: boolean
}

const components: readonly Component[] = [
  { key: null, name: 'Sklep internetowy' },
  { key: 'home', name: 'Strona główna', isPart: true },
  { key: 'basket', name: 'Koszyk', description: 'Ceny i koszty dostawy.', isPart: true },
  { key: 'payments', name: 'Płatności', isPart: true },
  { key: 'orders', name: 'Zamówienia', description: 'Aplikacja magazynu i porównywarki cen.' },
  { key: 'warehouse', name: 'Stany magazynowe' },
  { key: 'mail', name: 'Poczta', description: 'Pytania do nas.' },
]

/** Tags, contacts that are told of one of them, and a page for customers. */
export async function makePublicFace(facts: StoryFacts, made: Made): Promise<void> {
  await nameTags(facts, made)
  await makeContacts(facts)
  await makePage(facts, made)
}

async function nameTags({ people }: StoryFacts, { serviceIds }: Made): Promise<void> {
  for (const [key, id] of serviceIds) {
    const own = tags[key]
    if (own !== undefined) await people.call('owner', 'PUT', `/services/${id}`, { tags: own })
  }
}

const contacts = [
  { name: 'Marek Konkel', language_id: 'pl', time_zone_id: 'europe_warsaw', mail: 'marek@zaglownia.example' },
  { name: 'Anna Kąkol', language_id: 'pl', time_zone_id: 'europe_warsaw', mail: 'ania@zaglownia.example' },
  { name: 'Tom Penrose', language_id: 'en', time_zone_id: 'europe_london', mail: 'tom@helsails.example' },
] as const

/** The office hears of money, whoever has the group. */
async function makeContacts({ people }: StoryFacts): Promise<void> {
  const ids: number[] = []
  for (const { mail: address, ...contact } of contacts) {
    const contact_id = await people.make('owner', '/contacts', contact)
    await people.make('owner', '/contact_addresses', { contact_id, notification_channel_id: 'email', address })
    ids.push(contact_id)
  }
  const group = await people.make('owner', '/contact_groups', { name: 'Biuro', contact_ids: ids.slice(0, 2) })
  const path = `/tag_contacts?name=${encodeURIComponent('pieniądze')}`
  const [tag] = (await people.call('owner', 'GET', path)) as { id: number }[]
  if (tag !== undefined) await people.call('owner', 'PUT', `/tag_contacts/${tag.id}`, { contact_group_ids: [group] })
}

/** The slug of the page. */
export const demoSlug = 'zaglownia'

async function makePage({ people }: StoryFacts, { serviceIds }: Made): Promise<void> {
  const status_page_id = await people.make('owner', '/status_pages', {
    ...{ slug: demoSlug, title: 'Żaglownia Hel', description: 'Sklep, zamówienia i poczta: co działa, a co nie.' },
    ...{ language_id: 'pl', time_zone_id: 'europe_warsaw', theme: { accent: '#0b6e75' } },
    ...{ shows_suspensions: true },
  })
  let heading: number | null = null
  for (const [position, { key, isPart = false, ...words }] of components.entries()) {
    const service_id = key === null ? null : serviceIds.get(key)
    if (service_id === undefined) continue
    const parent_id = isPart ? heading : null
    const body = { status_page_id, position, parent_id, service_id, ...words }
    const id = await people.make('owner', '/status_page_components', body)
    if (key === null) heading = id
  }
  await people.make('owner', '/status_page_incident_templates', {
    ...{
      status_page_id,
      name: 'Sklep nie działa',
      title: 'Sklep nie działa',
      status: 'investigating',
      impact: 'major',
    },
    body: 'Sprawdzamy, co się stało. Następna wiadomość za pół godziny.',
  })
}

interface Telling {
  readonly name: string
  readonly impact: string
  /** Names of components. */
  readonly about: readonly string[]
  readonly body: string
}

/** Somebody publishes an incident. */
export function publishes({ name, impact, about, body }: Telling) {
  return async ({ people }: StoryFacts): Promise<void> => {
    const [page] = (await people.call('owner', 'GET', '/status_pages?limit=1')) as { id: number }[]
    const shown = (await people.call('owner', 'GET', '/status_page_components?limit=100')) as {
      id: number
      name: string
    }[]
    const component_ids = shown.filter((one) => about.includes(one.name)).map(({ id }) => id)
    await people.make('ania', '/status_page_incidents', {
      ...{ status_page_id: page?.id, name, impact, body, component_ids, is_published: true },
    })
  }
}

/** Somebody says how the last incident goes on. */
export function says(status: string, body: string) {
  return async ({ people }: StoryFacts): Promise<void> => {
    const path = '/status_page_incidents?is_maintenance=false&sort=-id&limit=1'
    const [last] = (await people.call('ania', 'GET', path)) as { id: number }[]
    if (last !== undefined) await people.make('ania', `/status_page_incidents/${last.id}/updates`, { status, body })
  }
}
