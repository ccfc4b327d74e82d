import { loginLinkLifeMinutes } from '../auth/login-links.ts'
import { lettersGateway } from '../channels/index.ts'
import { isolationTexts, mayCheckPages } from '../checks/page-isolation.ts'
import type { Config } from '../config/config.ts'
import type { LocalStations } from '../sensor/local.ts'
import type { FirstStart, MadeLogin } from './first-start.ts'

/** The passwords exist nowhere else, so print this as soon as they are stored. */
export function firstLoginsMessage({ administrator, account }: FirstStart): string {
  const width = Math.max(administrator.username.length, account.username.length)
  const line = (who: string, { username, generatedPassword }: MadeLogin) =>
    `  ${who.padEnd(15)} ${username.padEnd(width)}   ${generatedPassword ?? '(as configured)'}`
  return [
    '',
    'The first logins were created. Their passwords are shown only once:',
    '',
    line('account', account),
    line('administrator', administrator),
    '',
  ].join('\n')
}

export interface StartFacts {
  readonly version: string
  readonly seconds: number
  readonly config: Config
  /** Null if this process serves no API. */
  readonly apiUrl: string | null
  /** A link that logs the new account in to the console once; null if no account was made now. */
  readonly firstVisit: string | null
  /** Null if no metrics are served. */
  readonly metricsUrl: string | null
  /** Null if no stations run here. */
  readonly stations: Pick<LocalStations, 'categories' | 'pingWay' | 'browser'> | null
  /** The missing roles, one sentence each. */
  readonly missing: readonly string[]
}

const pingWays = {
  socket: 'ping over unprivileged sockets',
  program: 'ping with the system’s program',
  none: 'no ping: net.ipv4.ping_group_range forbids it and there is no ping program',
} as const

function stationsLine({ stations, config }: StartFacts): string {
  if (stations === null || config.localSensors === 0) return 'none in this process'
  const { localSensors } = config
  const names = localSensors === 1 ? 'Local 1' : `Local 1 to Local ${localSensors}`
  const families = stations.categories.includes('ipv6') ? 'IPv4 and IPv6' : 'IPv4 only'
  return `${names}: ${families}, ${pingWays[stations.pingWay]}`
}

function processesLine({ natsServers }: Config): string {
  return natsServers.length === 0
    ? 'find each other and exchange messages through the database'
    : `find each other through the database and exchange messages through NATS at ${natsServers.map((url) => new URL(url).host).join(', ')}`
}

function browserLine({ stations, config }: StartFacts): string {
  if (stations === null || config.localSensors === 0) return 'none in this process'
  const { browser, isRegistrationOpen } = config
  if (!mayCheckPages(browser.isolation, isRegistrationOpen)) return refusedPages
  return usedBrowser(stations.browser, config)
}

const refusedPages =
  'none: pages and scenarios are not checked, because anybody may register (REGISTRATION=on) and the browser would run without sandbox: run Latarnik as a user other than root, or set CHROMIUM_SANDBOX=container in a container'

function usedBrowser(name: string | null, { browser: { isolation } }: Pick<Config, 'browser'>): string {
  if (name === null)
    return 'none: pages and scenarios are not checked (install chromium-headless-shell or set CHROMIUM_PATH)'
  return `${name}, ${isolationTexts[isolation]}`
}

function mailLine({ mail, roles }: Config): string {
  if (!roles.includes('notifier')) return 'sent by another process'
  return mail.smtpUrl === undefined
    ? `no SMTP_URL: mails are written as .eml files to ${mail.outboxDirectory}`
    : `sent through ${new URL(mail.smtpUrl).host}`
}

/** The channels beside mail that the operator has to configure. */
function gatewaysLine({ gateways, roles }: Config): string {
  if (!roles.includes('notifier')) return 'sent by another process'
  const others = gateways.filter(({ id }) => id !== lettersGateway.id)
  const [used, missing] = [
    others.flatMap(({ name, connection }) => (connection === null ? [] : [`${name} through ${connection.goesTo}`])),
    others.flatMap(({ name, needs, connection }) => (connection === null ? [`${name} (${needs})`] : [])),
  ]
  return [
    ...used,
    ...(missing.length === 0 ? [] : [`no gateway for ${missing.join(', ')}: notifications through these fail`]),
  ].join('; ')
}

/** The private addresses that may be monitored. */
export function targetsText({ allowPrivateTargets }: Pick<Config, 'allowPrivateTargets'>): string {
  if (allowPrivateTargets === 'all') return 'private and loopback addresses may be monitored (ALLOW_PRIVATE_TARGETS)'
  if (allowPrivateTargets.length === 0) return 'private and loopback addresses are refused (ALLOW_PRIVATE_TARGETS)'
  return `only these private addresses may be monitored: ${allowPrivateTargets.join(', ')} (ALLOW_PRIVATE_TARGETS)`
}

/** The message for a person once the program runs. */
export function readyMessage(ready: StartFacts): string {
  const { config, apiUrl, metricsUrl, firstVisit } = ready
  const lines: [string, string][] = [
    ...(apiUrl === null
      ? []
      : ([
          ['Console', `${apiUrl}/`],
          ['API', `${apiUrl}/v3`],
          ['Documentation', `${apiUrl}/v3/public/doc/`],
        ] satisfies [string, string][])),
    ...(metricsUrl === null ? [] : ([['Metrics', metricsUrl]] satisfies [string, string][])),
    ['Roles', config.roles.join(', ')],
    ...ready.missing.map((sentence): [string, string] => ['Missing', sentence]),
    ...(config.databaseUrl === undefined ? [] : ([['Processes', processesLine(config)]] satisfies [string, string][])),
    ['Stations', stationsLine(ready)],
    ['Browser', browserLine(ready)],
    ['Mail', mailLine(config)],
    ['Channels', gatewaysLine(config)],
    ['Targets', targetsText(config)],
    ['Data', config.databaseUrl === undefined ? config.dataDirectory : 'the PostgreSQL server of DATABASE_URL'],
  ]
  return [
    `Latarnik ${ready.version} is ready after ${ready.seconds.toFixed(1)} s.`,
    '',
    ...lines.map(([label, value]) => `  ${label.padEnd(15)} ${value}`),
    '',
    ...(firstVisit === null
      ? []
      : [`Begin here (the link logs in once, within ${loginLinkLifeMinutes} minutes):`, '', `  ${firstVisit}`, '']),
  ].join('\n')
}

export interface MetSensor {
  readonly sensorId: number
  readonly name: string
  readonly server: URL
  readonly stations: Pick<LocalStations, 'categories' | 'browser'>
  readonly config: Pick<Config, 'browser'> & { readonly farSensor: Pick<Config, 'allowPrivateTargets'> }
}

const unaskedPages = 'Pages: a core where anybody may register (REGISTRATION=on) sends this station no page checks'

/** The message for a person once the core has welcomed a remote station. */
export function sensorMessage({ sensorId, name, server, stations, config }: MetSensor): string {
  const lines = [
    `Sensor ${sensorId}, ${name}, checks ${stations.categories.join(', ')} for ${server.origin}.`,
    `Browser: ${usedBrowser(stations.browser, config)}.`,
    ...(stations.browser !== null && config.browser.isolation === 'none' ? [`${unaskedPages}.`] : []),
    `Targets: ${targetsText(config.farSensor)}.`,
  ]
  return `${lines.join('\n')}\n`
}
