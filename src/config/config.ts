import { join } from 'node:path'
import type { RegistrationPolicy } from '../auth/oauth/client-registration.ts'
import type { ConfiguredGateway } from '../channels/declare.ts'
import { type MailConfig, mailConfig } from '../channels/email/email.ts'
import { configureGateways, gatewayContradictions } from '../channels/index.ts'
import { type VendorUrls, vendorUrls } from '../channels/vendors.ts'
import type { PageIsolation } from '../checks/page-isolation.ts'
import type { ArtifactLocation } from '../database/artifacts/open.ts'
import type { S3Location } from '../database/artifacts/s3-client.ts'
import type { AccountDefaults } from '../domain/access/account-defaults.ts'
import type { OAuthClient } from '../domain/access/oauth-client.ts'
import { type OidcRule, usualOidcRules } from '../domain/access/oidc-rules.ts'
import { nearestName } from '../domain/input/nearest-name.ts'
import type { AdministratorContact } from '../domain/notification/letter.ts'
import type { PageHosts } from '../domain/status-pages/page-host.ts'
import type { RequestLimits } from '../rest/rate-limit.ts'
import type { BrowserChoice } from '../sensor/browser/try-browser.ts'
import type { ProxyChoice } from '../sensor/far/proxy.ts'
import { directoryContradictions } from './directory-variables.ts'
import { targetContradictions } from './limit-variables.ts'
import { machineLanguage, machineTimeZone } from './machine-defaults.ts'
import { oidcContradictions } from './oidc-variables.ts'
import { type Environment, noFile, readConfigFile, writtenValue } from './sources.ts'
import type { Variable } from './variable.ts'
import { type Role, variables } from './variables.ts'
import {
  type LogFormat,
  type LogLevel,
  type ServiceExportConfig,
  serviceExportOf,
  watchingContradictions,
} from './watching-variables.ts'

/** Set by the build; `development` when running from the sources. */
export const version = process.env.LATARNIK_VERSION ?? 'development'

export interface FirstLogin {
  readonly username: string
  /** Undefined: generate one. */
  readonly password: string | undefined
}

export interface FarSensorConfig {
  readonly server: string | undefined
  readonly token: string | undefined
  readonly city: string
  readonly country: string
  /** Null: unknown. */
  readonly latitude: number | null
  readonly longitude: number | null
  readonly proxy: ProxyChoice
  /** Private addresses need permission here, because the requests come from another machine. */
  readonly allowPrivateTargets: 'all' | readonly string[]
}

export interface Config {
  readonly host: string
  readonly port: number
  /** Undefined: the address on which the API really listens. */
  readonly publicUrl: string | undefined
  readonly trustedProxies: readonly string[]
  /** Host names that status pages may have. */
  readonly statusPageHosts: Omit<PageHosts, 'own'>
  /** Their own port; undefined: that of the API. */
  readonly statusPages: { readonly port: number; readonly url: string | undefined } | undefined
  /** Usernames of accounts that may import confirmed subscribers; `*`: all. */
  readonly consentAccounts: readonly string[]
  readonly dataDirectory: string
  readonly databaseUrl: string | undefined
  /** `databaseUrl` is the coordinator of a Citus cluster. */
  readonly isCluster: boolean
  /** The store for the evidence of failed checks. */
  readonly artifacts: ArtifactLocation
  /** The S3-compatible store of all buckets. */
  readonly s3: Omit<S3Location, 'bucket' | 'prefix'>
  /** NATS servers through which the processes of one database talk; none: they talk through the database. */
  readonly natsServers: readonly string[]
  readonly roles: readonly Role[]
  readonly firstAdministrator: FirstLogin
  readonly firstAccount: FirstLogin
  /** The defaults of the first account, and of those whose request names none. */
  readonly accountDefaults: AccountDefaults
  /** The recipients of messages that concern no single account. */
  readonly administratorContact: AdministratorContact
  readonly localSensors: number
  /** The configuration of a process that is a remote station. */
  readonly farSensor: FarSensorConfig
  readonly browser: BrowserChoice
  readonly mail: MailConfig
  /** The gateways for notifications, with their rate limits. */
  readonly gateways: readonly ConfiguredGateway[]
  readonly vendorUrls: VendorUrls
  /** The list of the servers that know registrations of domains. */
  readonly rdapBootstrapUrl: string
  /** The WHOIS server that names those of top-level domains without RDAP; null: none is asked. */
  readonly whoisServer: string | null
  /** The domains of services' hosts are watched, not only services of type `domain`. */
  readonly watchDomains: boolean
  readonly isRegistrationOpen: boolean
  /** The states of services can be read by Prometheus. */
  readonly hasServiceMetrics: boolean
  /** Assistants may call the API over MCP. */
  readonly servesAssistants: boolean
  /** Everyone may see how well this installation works. */
  readonly hasAccountabilityPage: boolean
  readonly oauthClients: readonly OAuthClient[]
  /** Which clients of assistants register themselves. */
  readonly clientRegistration: RegistrationPolicy
  /** The identity provider for logins; null: none. */
  readonly oidc: OidcConfig | null
  /** The watched directory of configuration as code; null: none. */
  readonly configDirectory: ConfigDirectory | null
  readonly allowPrivateTargets: 'all' | readonly string[]
  readonly requestsPerMinute: RequestLimits
  readonly cpuSecondsPerMinute: RequestLimits
  readonly loginAttemptsPerMinute: number
  readonly forceLimits: { readonly minute: number; readonly hour: number; readonly day: number }
  /** The daily limit of SMS per account. */
  readonly smsLimit: number
  /** SMS of all accounts together in a day; undefined: no limit. */
  readonly smsDaily: number | undefined
  readonly minimumIntervalSeconds: number
  readonly retentionDays: number
  readonly auditRetentionDays: number
  readonly logLevel: LogLevel
  readonly logFormat: LogFormat
  /** The address that serves metrics; undefined: none. */
  readonly metrics: { readonly host: string; readonly port: number } | undefined
  /** Undefined: no traces. */
  readonly tracesEndpoint: string | undefined
  /** Undefined: metrics of services are sent nowhere. */
  readonly serviceExport: ServiceExportConfig | undefined
}

export interface ConfigDirectory {
  readonly path: string
  /** The username of the account that is changed. */
  readonly account: string
  readonly isPruning: boolean
  readonly repairSeconds: number
  readonly secretsPath: string | null
}

export interface OidcConfig {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Shown on the login page. */
  readonly name: string
  readonly rules: readonly OidcRule[]
}

export type ConfigOutcome = { readonly config: Config } | { readonly faults: readonly string[] }

type Name = keyof typeof variables
type Values = {
  readonly [K in Name]: (typeof variables)[K] extends Variable<infer Value, infer Default>
    ? Default extends string
      ? Value
      : Value | undefined
    : never
}

/** Reads the environment over the file that `LATARNIK_CONFIG` names. Returns all faults at once, one sentence each. */
export function readConfig(environment: Environment): ConfigOutcome {
  const path = environment['LATARNIK_CONFIG']
  const file = path === undefined || path === '' ? noFile : readConfigFile(path)
  const values: Partial<Record<Name, unknown>> = {}
  const faults = [...file.faults, ...strangersOf(environment)]
  for (const [name, definition] of Object.entries(variables) as [Name, Variable<unknown>][]) {
    const written = writtenValue(name, definition, [environment, Object.fromEntries(file.values)], faults)
    const text = written ?? definition.defaultText
    if (text === undefined) continue
    const outcome = definition.schema.safeParse(text)
    if (outcome.success) values[name] = outcome.data
    else faults.push(faultOf(name, definition, text, outcome.error.issues[0]?.message))
  }
  faults.push(...contradictions(values as Partial<Values>))
  // Without faults every variable has a value: its own or its default.
  return faults.length > 0 ? { faults } : { config: shape(values as Values, environment) }
}

/** Read by the commands that talk to another installation (`cli/remote.ts`); they may be set for every command. */
const ofCommands = ['LATARNIK_CONFIG', 'LATARNIK_URL', 'LATARNIK_TOKEN', 'LATARNIK_USERNAME', 'LATARNIK_PASSWORD']

const prefix = /^LATARNIK_/

function strangersOf(environment: Environment): string[] {
  return Object.keys(environment)
    .filter((name) => prefix.test(name) && !ofCommands.includes(name))
    .map((name) => {
      // Without the prefix: two names that share it are not nearer for that.
      const known = new Map([...Object.keys(variables), ...ofCommands].map((one) => [one.replace(prefix, ''), one]))
      const meant = known.get(nearestName(name.replace(prefix, ''), [...known.keys()]) ?? '')
      return `${name}: there is no such variable${meant === undefined ? '' : ` (did you mean ${meant}?)`}`
    })
}

function faultOf(name: string, definition: Variable<unknown>, text: string, rule: string | undefined): string {
  const shown = definition.isSecret === true ? '' : `, not ${JSON.stringify(text)}`
  return `${name}: ${rule ?? 'is not right'}${shown}`
}

/** Values that are valid one by one but not together. */
function contradictions(values: Partial<Values>): string[] {
  const faults: string[] = []
  if (values.ADMIN_USERNAME?.toLowerCase() === values.ACCOUNT_USERNAME?.toLowerCase() && values.ADMIN_USERNAME) {
    faults.push('ACCOUNT_USERNAME: must differ from ADMIN_USERNAME')
  }
  if ((values.S3_ACCESS_KEY_ID === undefined) !== (values.S3_SECRET_ACCESS_KEY === undefined)) {
    faults.push('S3_ACCESS_KEY_ID: goes together with S3_SECRET_ACCESS_KEY')
  }
  if ((values.SENSOR_LATITUDE === undefined) !== (values.SENSOR_LONGITUDE === undefined)) {
    faults.push('SENSOR_LATITUDE: goes together with SENSOR_LONGITUDE')
  }
  // The export of status pages names a bucket of its own.
  if (values.S3_PREFIX !== undefined && values.S3_BUCKET === undefined) {
    faults.push('S3_PREFIX: means nothing without S3_BUCKET')
  }
  if (values.NATS_URL !== undefined && values.DATABASE_URL === undefined) {
    faults.push('NATS_URL: means nothing without DATABASE_URL: the embedded database serves one process alone')
  }
  if (values.METRICS_PORT !== undefined && values.METRICS_PORT !== 0 && values.METRICS_PORT === values.PORT) {
    faults.push('METRICS_PORT: must differ from PORT')
  }
  for (const other of ['PORT', 'METRICS_PORT'] as const) {
    if (
      values.STATUS_PAGE_PORT !== undefined &&
      values.STATUS_PAGE_PORT !== 0 &&
      values.STATUS_PAGE_PORT === values[other]
    ) {
      faults.push(`STATUS_PAGE_PORT: must differ from ${other}`)
    }
  }
  if (values.STATUS_PAGE_URL !== undefined && values.STATUS_PAGE_PORT === undefined) {
    faults.push('STATUS_PAGE_URL: means nothing without STATUS_PAGE_PORT')
  }
  if (values.REGISTRATION === true && values.SUBSCRIBER_CONSENT_ACCOUNTS?.includes('*') === true) {
    faults.push('SUBSCRIBER_CONSENT_ACCOUNTS: with REGISTRATION=on anybody could write to any mailbox; name accounts')
  }
  if (values.CITUS === true && values.DATABASE_URL === undefined)
    faults.push('CITUS: means nothing without DATABASE_URL')
  const others = [oidcContradictions, directoryContradictions, gatewayContradictions, watchingContradictions]
  return [...faults, ...targetContradictions(values), ...others.flatMap((of) => of(values))]
}

function s3Store(values: Values): Config['s3'] {
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = values
  return {
    ...{ endpoint: values.S3_ENDPOINT, region: values.S3_REGION },
    credentials:
      accessKeyId === undefined || secretAccessKey === undefined ? undefined : { accessKeyId, secretAccessKey },
  }
}

function artifactLocation(values: Values): ArtifactLocation {
  const { S3_BUCKET: bucket } = values
  if (bucket === undefined) return { directory: join(values.DATA_DIR, 'artifacts') }
  return { s3: { ...s3Store(values), bucket, prefix: values.S3_PREFIX ?? '' } }
}

function farSensorOf(values: Values): Config['farSensor'] {
  return {
    server: values.SENSOR_SERVER,
    token: values.SENSOR_TOKEN,
    city: values.SENSOR_CITY ?? '',
    country: values.SENSOR_COUNTRY ?? '',
    latitude: values.SENSOR_LATITUDE ?? null,
    longitude: values.SENSOR_LONGITUDE ?? null,
    proxy: { url: values.HTTPS_PROXY, except: values.NO_PROXY ?? [] },
    allowPrivateTargets: values.ALLOW_PRIVATE_TARGETS ?? [],
  }
}

function isolationOf(written: Values['CHROMIUM_SANDBOX']): PageIsolation {
  if (written === 'container') return 'container'
  return written === 'on' || (written === 'auto' && process.getuid?.() !== 0) ? 'sandbox' : 'none'
}

function browserOf(values: Values): Config['browser'] {
  return {
    chromiumPath: values.CHROMIUM_PATH ?? null,
    directory: join(values.DATA_DIR, 'browser'),
    isolation: isolationOf(values.CHROMIUM_SANDBOX),
  }
}

function pagesOf(
  values: Values,
): Pick<Config, 'statusPageHosts' | 'statusPages' | 'consentAccounts' | 'hasAccountabilityPage'> {
  const { STATUS_PAGE_PORT: port, STATUS_PAGE_URL: url } = values
  return {
    statusPageHosts: { permitted: values.STATUS_PAGE_HOSTS ?? [], free: values.STATUS_PAGE_FREE_HOSTS ?? [] },
    consentAccounts: values.SUBSCRIBER_CONSENT_ACCOUNTS ?? [],
    hasAccountabilityPage: values.ACCOUNTABILITY_PAGE,
    statusPages: port === undefined ? undefined : { port, url: url?.replace(/\/+$/, '') },
  }
}

function oidcOf(values: Values): OidcConfig | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = values
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return null
  const name = values.OIDC_NAME ?? new URL(issuer).hostname
  return Object.freeze({ issuer, clientId, clientSecret, name, rules: values.OIDC_RULES ?? usualOidcRules })
}

function configDirectoryOf(values: Values): ConfigDirectory | null {
  const { CONFIG_DIR: path, CONFIG_ACCOUNT: account, CONFIG_SECRETS_DIR: secretsPath = null } = values
  if (path === undefined || account === undefined) return null
  const { CONFIG_PRUNE: isPruning, CONFIG_REPAIR_SECONDS: repairSeconds } = values
  return Object.freeze({ path, account, isPruning, repairSeconds, secretsPath })
}

function registriesOf({ RDAP_BOOTSTRAP_URL, WHOIS_SERVER, WATCH_DOMAINS }: Values) {
  const whoisServer = WHOIS_SERVER === '' ? null : WHOIS_SERVER
  return { rdapBootstrapUrl: RDAP_BOOTSTRAP_URL, whoisServer, watchDomains: WATCH_DOMAINS }
}

function shape(values: Values, environment: Environment): Config {
  const [minute = 0, hour = 0, day = 0] = values.FORCE_LIMITS
  return Object.freeze({
    host: values.HOST,
    port: values.PORT,
    publicUrl: values.PUBLIC_URL?.replace(/\/+$/, ''),
    trustedProxies: values.TRUSTED_PROXIES ?? [],
    ...pagesOf(values),
    dataDirectory: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL,
    isCluster: values.CITUS,
    ...{ artifacts: Object.freeze(artifactLocation(values)), s3: Object.freeze(s3Store(values)) },
    natsServers: values.NATS_URL ?? [],
    roles: values.ROLES,
    firstAdministrator: Object.freeze({ username: values.ADMIN_USERNAME, password: values.ADMIN_PASSWORD }),
    firstAccount: Object.freeze({ username: values.ACCOUNT_USERNAME, password: values.ACCOUNT_PASSWORD }),
    accountDefaults: Object.freeze({
      languageId: values.ACCOUNT_LANGUAGE ?? machineLanguage(environment),
      timeZoneId: values.ACCOUNT_TIME_ZONE ?? machineTimeZone(),
    }),
    administratorContact: Object.freeze({ addresses: values.ADMIN_EMAIL ?? [], language: values.ADMIN_LANGUAGE }),
    localSensors: values.LOCAL_SENSORS,
    farSensor: Object.freeze(farSensorOf(values)),
    browser: Object.freeze(browserOf(values)),
    mail: mailConfig(values, { dataDirectory: values.DATA_DIR }),
    gateways: configureGateways(values, { dataDirectory: values.DATA_DIR }),
    vendorUrls: vendorUrls(values),
    ...registriesOf(values),
    ...{ isRegistrationOpen: values.REGISTRATION, hasServiceMetrics: values.SERVICE_METRICS },
    ...{ servesAssistants: values.MCP, configDirectory: configDirectoryOf(values), oidc: oidcOf(values) },
    ...{ oauthClients: values.OAUTH_CLIENTS ?? [], clientRegistration: values.OAUTH_REGISTRATION },
    allowPrivateTargets: values.ALLOW_PRIVATE_TARGETS ?? (values.REGISTRATION ? [] : 'all'),
    ...{ requestsPerMinute: Object.freeze(values.RATE_LIMIT), cpuSecondsPerMinute: Object.freeze(values.CPU_LIMIT) },
    loginAttemptsPerMinute: values.LOGIN_LIMIT,
    forceLimits: Object.freeze({ minute, hour, day }),
    ...{ smsLimit: values.SMS_LIMIT, smsDaily: values.SMS_DAILY },
    minimumIntervalSeconds: values.MINIMUM_INTERVAL,
    ...{ retentionDays: values.RETENTION_DAYS, auditRetentionDays: values.AUDIT_RETENTION_DAYS },
    logLevel: values.LOG_LEVEL,
    logFormat: values.LOG_FORMAT,
    metrics: values.METRICS_PORT === undefined ? undefined : { host: values.METRICS_HOST, port: values.METRICS_PORT },
    ...{ tracesEndpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT, serviceExport: serviceExportOf(values) },
  })
}
