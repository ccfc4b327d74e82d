/** The actions of the month's people, in order, all through the API. */
import { hourLength as hour } from '../domain/calendars/durations.ts'
import { formatMoment } from '../domain/calendars/time.ts'
import { groupNames } from './company.ts'
import type { Cue } from './month.ts'
import { localMoment } from './moods.ts'
import type { Person } from './people.ts'
import { makePublicFace, publishes, says } from './public-face.ts'
import type { Made, StoryFacts } from './story-facts.ts'
import { type DemoService, type GroupKey, groupKeys } from './watched.ts'

/** The first morning: accounts, groups, services, addresses, hours, templates. */
export async function beginLife(facts: StoryFacts): Promise<Made> {
  const { people } = facts
  await people.call('owner', 'PUT', '/accounts/my_account', { name: 'Żaglownia Hel sp. z o.o.' })
  await people.call('owner', 'PUT', '/user_data/my_user_data', {
    contact_person: 'Marek Konkel',
    email_address: 'marek@zaglownia.example',
    phone_number: '+48586752001',
  })
  const agencyId = await makeAccounts(facts)
  const groupIds = await makeGroups(facts)
  const serviceIds = new Map<string, number>()
  for (const service of facts.services) {
    serviceIds.set(service.key, await makeService(facts, service, groupIds[service.group]))
  }
  const made: Made = { groupIds, serviceIds, agencyId }
  await nameParents(facts, made)
  await people.call('owner', 'PUT', `/groups/${groupIds.shop}/shares/${agencyId}`, { can_modify_services: false })
  await planHours(facts, made)
  await makeTemplates(facts, made)
  await makePublicFace(facts, made)
  return made
}

async function makeAccounts({ people, logins }: StoryFacts): Promise<number> {
  const account = (person: Person, name: string, email: string) => ({
    ...{ ...logins[person], name, user_data: { email_address: email } },
  })
  await people.make('owner', '/accounts', account('ania', 'Anna Kąkol', 'ania@zaglownia.example'))
  const tom = account('tom', 'Tom Penrose', 'tom@helsails.example')
  await people.make('owner', '/accounts', {
    ...tom,
    language_id: 'en',
    time_zone_id: 'europe_london',
    is_read_only: true,
  })
  const packages = (await people.call('administrator', 'GET', '/admin/packages?create_accounts=true&limit=1')) as {
    id: number
  }[]
  return people.make('administrator', '/admin/accounts', {
    ...account('agency', 'Harbour Agency Ltd', 'ops@harbour.example'),
    ...{ package_id: packages[0]?.id, language_id: 'en', time_zone_id: 'europe_london' },
  })
}

const addresses: readonly (readonly [GroupKey, string, string])[] = [
  ['shop', 'email_extended', 'sklep@zaglownia.example'],
  ['shop', 'email_short', 'dyzur@zaglownia.example'],
  ['office', 'email', 'biuro@zaglownia.example'],
  ['uk', 'email', 'tom@helsails.example'],
]

const reportAddresses: readonly (readonly [GroupKey, string, string])[] = [
  ['shop', 'marek@zaglownia.example', 'weekly'],
  ['office', 'biuro@zaglownia.example', 'monthly'],
  ['uk', 'tom@helsails.example', 'weekly'],
]

async function makeGroups({ people, sensorIds, categories }: StoryFacts): Promise<Made['groupIds']> {
  const ids: Partial<Record<GroupKey, number>> = {}
  const near = sensorIds.slice(0, 3)
  const pages = categories.includes('webappcheck') ? near.slice(0, 2) : []
  for (const key of groupKeys) {
    const sensors = key === 'uk' ? sensorIds.slice(-3) : near
    ids[key] = await people.make('owner', '/groups', {
      ...{ name: groupNames[key], periodic_weekly_reports: true, periodic_monthly_reports: true },
      assigned_sensor_ids: {
        ...{ default: sensors, ipv6: categories.includes('ipv6') ? sensors : [], mobile: pages, webappcheck: pages },
      },
    })
  }
  const groupIds = ids as Made['groupIds']
  for (const [key, notification_channel_id, address] of addresses)
    await people.make('owner', '/notification_addresses', { group_id: groupIds[key], notification_channel_id, address })
  for (const [key, address, report_frequency] of reportAddresses)
    await people.make('owner', '/periodic_report_addresses', { group_id: groupIds[key], address, report_frequency })
  return groupIds
}

/** Two stations check with a browser, because one alone is not enough evidence. */
function makeService({ people, places }: StoryFacts, service: DemoService, group_id: number): Promise<number> {
  return people.make('owner', '/services', {
    ...{ name: service.name, description: service.description, type_id: service.typeId, group_id },
    ...{ address: service.address(places), interval: service.intervalSeconds },
    extended_settings: service.settings?.(places) ?? {},
    ...service.more,
  })
}

/** The shop's pages depend on its server, the office's servers on the router. */
async function nameParents({ people, services }: StoryFacts, made: Made): Promise<void> {
  for (const { key, parents = [] } of services) {
    const parent_ids = parents.flatMap((parent) => idOf(made, parent) ?? [])
    if (parent_ids.length > 0) await people.call('owner', 'PUT', `/services/${idOf(made, key)}`, { parent_ids })
  }
}

const week = [1, 2, 3, 4, 5, 6, 7]

/** Nobody is woken for the branch's payments between ten and six; the test version is not checked at the weekend. */
async function planHours({ people }: StoryFacts, { serviceIds }: Made): Promise<void> {
  const at = (day_of_week: number, of: number) => ({ day_of_week, hour: of, minute: 0 })
  const payments = serviceIds.get('payments')
  const staging = serviceIds.get('staging')
  for (const day of payments === undefined ? [] : week) {
    await people.make('owner', '/weekly_suspensions', {
      ...{ service_id: payments, start_minute: at(day, 22), end_minute: at((day % 7) + 1, 6) },
      ...{ only_notifications: true, description: 'Night: nobody is on duty' },
    })
  }
  if (staging === undefined) return
  await people.make('owner', '/weekly_suspensions', {
    ...{ service_id: staging, start_minute: at(6, 0), end_minute: at(1, 0), only_notifications: false },
    description: 'W weekendy nic tu nie ma',
  })
}

async function makeTemplates({ people }: StoryFacts, { groupIds }: Made): Promise<void> {
  const officeHours = week.map((day) => ({
    start_minute: { day_of_week: day, hour: 0, minute: 0 },
    end_minute: { day_of_week: day, hour: 7, minute: 0 },
  }))
  await people.make('owner', '/report_templates', {
    ...{ name: 'Dostępność sklepu', description: 'Dla zarządu, co poniedziałek.' },
    ...{ email_addresses: ['zarzad@zaglownia.example'], reporting_plan_ids: ['weekly'], summary: 'enabled' },
    requested_scope: { services: { by_group_id: [groupIds.shop] } },
  })
  await people.make('owner', '/report_templates', {
    ...{ name: 'Service level for the branch', description: 'Between seven and midnight.', summary: 'enabled' },
    ...{ weekly_suspensions: officeHours, reporting_plan_ids: ['monthly'] },
    requested_scope: { services: { by_group_id: [groupIds.uk] } },
  })
  await people.make('owner', '/report_templates', {
    ...{ name: 'Cała firma', description: 'Wszystko, co sprawdzamy.', summary: 'enabled', archived_services: true },
    ...{ requested_scope: { services: { all: true }, groups: { all: true } } },
  })
}

type Act = (facts: StoryFacts, made: Made) => Promise<unknown>

const outage = {
  ...{ name: 'Sklep nie działa', impact: 'critical', about: ['Strona główna', 'Koszyk'] },
  body: 'Sklep nie odpowiada. Szukamy przyczyny.',
} as const
const slowEvening = {
  ...{ name: 'Sklep działa wolno', impact: 'minor', about: ['Koszyk'] },
  body: 'Wyprzedaż przyciągnęła dużo osób. Zamówienia są przyjmowane, ale trwa to dłużej.',
} as const

/** Days before the end, local time of the company, the services concerned, and the action. */
const acts: readonly (readonly [daysAgo: number, time: string, keys: readonly string[], act: Act])[] = [
  [26, '08:12', [], ({ people }) => people.logIn('ania')],
  [21, '09:40', [], ({ people }) => people.logIn('tom')],
  [17, '14:26', ['home'], publishes(outage)],
  [17, '14:52', ['home'], says('identified', 'Zabrakło miejsca na dysku bazy. Dokładamy je.')],
  [17, '15:06', ['home'], says('resolved', 'Sklep działa. Zamówienia sprzed przerwy są bezpieczne.')],
  [17, '15:31', ['home', 'basket', 'page', 'mobile'], describeOutage],
  [16, '10:05', ['home'], says('postmortem', 'Dysk miał alarm dopiero przy 95 %. Teraz ma go przy 80 %.')],
  [
    16,
    '11:20',
    ['planner'],
    ({ people }, made) => people.call('owner', 'POST', `/services/${idOf(made, 'planner')}/archive`),
  ],
  [15, '08:02', [], ({ people }) => people.logIn('agency')],
  [11, '10:05', [], ({ people }) => people.logIn('ania')],
  [8, '13:30', ['login'], correctPanel],
  [7, '16:00', ['warehouse'], planMaintenance],
  [
    4,
    '12:15',
    ['intranet'],
    ({ people }, made) => people.call('ania', 'PUT', `/services/${idOf(made, 'intranet')}`, { is_active: false }),
  ],
  [3, '20:21', ['basket'], publishes(slowEvening)],
  [3, '21:24', ['basket'], says('resolved', 'Sklep znów odpowiada szybko.')],
  [2, '09:15', [], ({ people }) => people.logIn('tom')],
]

function idOf({ serviceIds }: Made, key: string): number | undefined {
  return serviceIds.get(key)
}

/** Writes the cause into the outage's status change. */
async function describeOutage({ people, toAt }: StoryFacts, made: Made): Promise<void> {
  for (const key of ['home', 'basket']) {
    const id = idOf(made, key)
    const path = `/services/${id}/history/status_changes`
    const changes = (await people.call('ania', 'GET', `${path}?status=failure&sort=-start_time&limit=1`)) as {
      change_id: string
      start_time: string
    }[]
    const [last] = changes
    if (last === undefined || Date.parse(last.start_time) < localMoment(toAt, 17, '14:00')) continue
    const description = 'Dysk bazy sklepu był pełny; dołożono miejsca i alarm na 80 %.'
    await people.call('ania', 'PUT', `${path}/${last.change_id}`, { description })
  }
}

/** The shop's panel worked; the recording was older than the panel. */
async function correctPanel({ people, toAt }: StoryFacts, made: Made): Promise<void> {
  const service_id = idOf(made, 'login')
  if (service_id === undefined) return
  await people.make('ania', '/corrections', {
    ...{ service_id, status: 'ok', description: 'Nagranie było starsze niż panel; klienci niczego nie zauważyli' },
    start_time: formatMoment(localMoment(toAt, 8, '09:00')),
    end_time: formatMoment(localMoment(toAt, 8, '10:00')),
  })
}

async function planMaintenance({ people, toAt }: StoryFacts, made: Made): Promise<void> {
  const service_id = idOf(made, 'warehouse')
  const between = (from: number, to: number) => ({ start_time: formatMoment(from), end_time: formatMoment(to) })
  await people.make('owner', '/suspensions', {
    ...{ service_id, description: 'Aktualizacja PostgreSQL' },
    ...between(localMoment(toAt, 6, '01:00'), localMoment(toAt, 6, '03:30')),
  })
  await people.make('owner', '/suspensions', {
    ...{ service_id, description: 'Wymiana dysków' },
    ...between(localMoment(toAt, -9, '22:00'), localMoment(toAt, -9, '23:30')),
  })
}

/** The actions of people that lie within the simulated time. */
export function cuesOf(facts: StoryFacts, made: Made, fromAt: number): Cue[] {
  return acts.flatMap(([daysAgo, time, keys, act]) => {
    const at = localMoment(facts.toAt, daysAgo, time)
    const serviceIds = keys.flatMap((key) => idOf(made, key) ?? [])
    const isPossible = keys.length === 0 || serviceIds.length > 0
    if (at <= fromAt || at >= facts.toAt || !isPossible) return []
    return [{ at, serviceIds: () => serviceIds, play: async () => void (await act(facts, made)) }]
  })
}

/** At the end somebody orders a report about everything. */
export async function askForReport({ people, toAt }: StoryFacts, fromAt: number): Promise<void> {
  const templates = (await people.call('owner', 'GET', '/report_templates?sort=-id&limit=1')) as { id: number }[]
  const wholeHour = (at: number) => formatMoment(Math.floor(at / hour) * hour)
  await people.make('owner', '/reports', {
    ...{ template_id: templates[0]?.id, name: 'Miesiąc w całej firmie' },
    ...{ from: wholeHour(fromAt + hour), to: wholeHour(toAt) },
  })
}
