import { createECDH, createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { pino } from 'pino'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { integrations } from '../../src/channels/index.ts'
import { serviceTypes } from '../../src/checks/index.ts'
import { createAuthority } from '../../src/demo/targets/certificates.ts'
import { type ApiWorld, apiWorld, authorizationOf } from '../support/api.ts'
import { apiFor, exported } from '../support/configuring.ts'
import { type Heard, listenTo, patience } from '../support/event-stream.ts'

/** Every declared secret is stored, changed and read; the search for it is in all that anybody reads afterwards. */

type Settings = Readonly<Record<string, unknown>>

/** One object with a secret, and the new value of the secret. */
interface Planted {
  readonly name: string
  readonly path: '/services' | '/notification_addresses'
  readonly body: (settings: Settings) => object
  readonly settingsName: 'extended_settings' | 'settings'
  readonly secretIds: readonly string[]
  readonly first: Settings
  readonly second: Settings
}

const lines: string[] = []
let world: ApiWorld
let url: string
let heard: Heard
beforeAll(async () => {
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  world = await apiWorld({ log })
  url = await world.server.listen({ host: '127.0.0.1', port: 0 })
  heard = await listenTo(url, { authorization: authorizationOf('alice') })
})
afterAll(async () => {
  heard?.close()
  await world.drop()
})

/** Another value of the same form: the last digits are others, or the last letters if there is no digit. */
function another(value: string): string {
  const end = value.slice(-10)
  const moved = /\d/.test(end)
    ? end.replace(/\d/g, (digit) => String((Number(digit) + 1) % 10))
    : end.replace(/[a-y]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 1))
  return value.slice(0, -10) + moved
}

/** Beside the vendor's example: a channel that takes one of two secrets. */
const furtherSettings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  slack: { bot_token: 'xoxb-1234567890-planted-first-4711', channel: 'C0123456789' },
}

const newPublicKey = () => createECDH('prime256v1').generateKeys('base64url')

function channelSecrets(): readonly Planted[] {
  return integrations.flatMap(({ channel, settings: formats }) => {
    const isSecret = (id: string) => formats.some((one) => one.setting_id === id && one.isSecret === true)
    const file = new URL(`../contract/integrations/${channel.id}.json`, import.meta.url)
    const example = (JSON.parse(readFileSync(file, 'utf8')) as { settings: Record<string, string> }).settings
    return [example, furtherSettings[channel.id] ?? {}].flatMap((first) => {
      const secretIds = Object.keys(first).filter(isSecret)
      if (secretIds.length === 0) return []
      const changed = (id: string) => (id === 'p256dh' ? newPublicKey() : another(first[id] ?? ''))
      return {
        ...({ name: `${channel.id} ${secretIds}`, path: '/notification_addresses', settingsName: 'settings' } as const),
        body: (settings: Settings) => ({ notification_channel_id: channel.id, settings }),
        ...{ secretIds, first },
        second: Object.fromEntries(secretIds.map((id) => [id, changed(id)])),
      }
    })
  })
}

const authority = createAuthority('Clients of the shop')
const [pair, otherPair] = [authority.issue({ names: ['one'] }), authority.issue({ names: ['two'] })]
const encrypted = (key: unknown, passphrase: string) =>
  createPrivateKey(String(key)).export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase })

/** The other settings that a secret needs, and its values where any word is refused. */
function settingsWith(typeId: string, id: string, which: 'first' | 'second'): Settings {
  const word = `planted-${which}-${typeId}-${id}-4711`
  const { cert, key } = which === 'first' ? pair : otherPair
  if (id === 'client_key') return { client_certificate: String(cert), client_key: String(key) }
  if (id === 'client_key_passphrase')
    return { client_certificate: String(cert), client_key: encrypted(key, word), client_key_passphrase: word }
  const oauth = { oauth_token_url: 'https://id.example.com/token', oauth_client_id: 'shop', oauth_client_secret: 'x' }
  if (Object.hasOwn(oauth, id))
    return { ...oauth, [id]: id === 'oauth_token_url' ? `https://id.example.com/${word}` : word }
  if (id === 'secrets') return { secrets: `pass=${word}` }
  return { [id]: word }
}

const scenario = JSON.stringify({ title: 'Shop', steps: [{ type: 'navigate', url: 'https://shop.example.com/' }] })

function serviceSecrets(): readonly Planted[] {
  return serviceTypes.flatMap(({ id: typeId, settings }) =>
    settings
      .filter(({ isSecret }) => isSecret)
      .map(({ setting_id: id }) => {
        const base = settings.some((one) => one.setting_id === 'scenario') ? { scenario } : {}
        return {
          ...({ name: `${typeId} ${id}`, path: '/services', settingsName: 'extended_settings' } as const),
          body: (extended_settings: Settings) => ({
            ...{ type_id: typeId, name: `${typeId} ${id}`, address: 'shop.example.com', interval: 300 },
            extended_settings,
          }),
          secretIds: [id],
          first: { ...base, ...settingsWith(typeId, id, 'first') },
          second: settingsWith(typeId, id, 'second'),
        }
      }),
  )
}

/**
 * The end of a value, which is in no other text, however the value is quoted. A key gives its first line: the others
 * have the public key, too.
 */
function needleOf(value: unknown): string {
  const text = String(value).trim()
  const inner = text.split(/\r?\n/).filter((line) => !line.startsWith('-----'))
  return (inner[0] ?? text).slice(-16)
}

const planted = [...channelSecrets(), ...serviceSecrets()]

test('each declared secret has a value here', () => {
  const declared = [
    ...integrations.flatMap(({ channel, settings }) =>
      settings.flatMap(({ setting_id: id, isSecret }) => (isSecret === true ? [`${channel.id} ${id}`] : [])),
    ),
    ...serviceTypes.flatMap(({ id, settings }) =>
      settings.flatMap((setting) => (setting.isSecret ? [`${id} ${setting.setting_id}`] : [])),
    ),
  ]
  const tried = planted.flatMap(({ name, secretIds, first, second }) =>
    secretIds.flatMap((id) =>
      first[id] && second[id] && first[id] !== second[id] ? [`${name.split(' ')[0]} ${id}`] : [],
    ),
  )
  expect(declared.length).toBeGreaterThan(40)
  expect([...new Set(tried)].toSorted()).toEqual([...new Set(declared)].toSorted())
})

test('no value of a declared secret is in a record, a line of the log, an event, an answer or an export', async () => {
  const [answers, needles, refusals]: [string[], string[], string[]] = [[], [], []]
  for (const { name, path, body, settingsName, secretIds, first, second } of planted) {
    const made = await world.call('alice', 'POST', path, body(first))
    if (made.status !== 201) refusals.push(`${name}: ${made.text}`)
    const at = `${path}/${made.answer.id}`
    const changed = await world.call('alice', 'PUT', at, { [settingsName]: second })
    if (changed.status !== 204) refusals.push(`${name}: ${changed.text}`)
    const again = await world.call('alice', 'PUT', at, { name: `${name} again`, is_enabled: false })
    const read = await world.call('alice', 'GET', at)
    answers.push(made.text, changed.text, again.text, read.text)
    needles.push(...secretIds.flatMap((id) => [needleOf(first[id]), needleOf(second[id])]))
    // A refused value is not told back either.
    const refused = await world.call('alice', 'PUT', at, { [settingsName]: second, owner_id: 'x', interval: 'often' })
    answers.push(refused.text)
  }
  expect(refusals).toEqual([])
  const isStored = await storedText()
  expect(needles.filter((needle, place) => place % 2 === 1 && !isStored.includes(needle))).toEqual([])
  expect(needles.filter((needle) => needle.length < 8)).toEqual([])
  const marks = await world.database.query(sql`
    select from audit_log where operation in ('services.update', 'notification_addresses.update')
      and after::text like '%*** (new)%'`)
  expect(marks.length).toBeGreaterThanOrEqual(planted.length)
  await untilToldOf(planted.filter(({ path }) => path === '/services').length)
  const told: Readonly<Record<string, string>> = {
    audit: await auditText(),
    log: lines.join('\n'),
    events: heard.text(),
    answers: answers.join('\n'),
    export: (await exported(apiFor(url, 'alice'), world.clock.now())).yaml,
    lists: (await listsText()).join('\n'),
  }
  for (const [place, text] of Object.entries(told)) {
    expect([place, text.length > 1000]).toEqual([place, true])
    const decoded = decodeURIComponent(text.replaceAll(/%(?![0-9a-f]{2})/gi, '%25'))
    const found = needles.filter((needle) => text.includes(needle) || decoded.includes(needle))
    expect([place, [...new Set(found)]]).toEqual([place, []])
  }
})

/** The stored settings; without them the search proves nothing. */
async function storedText(): Promise<string> {
  const rows = await world.database.query<{ text: string }>(sql`
    select extended_settings ::text as text from services union all select settings::text from notification_addresses`)
  return rows.map(({ text }) => text.replaceAll('\\n', '\n')).join('\n')
}

async function auditText(): Promise<string> {
  const rows = await world.database.query<{ text: string }>(sql`select audit_log::text as text from audit_log`)
  const shown = await world.call('alice', 'GET', '/accounts/my_account/logs/audit?limit=1000')
  return rows.map(({ text }) => text).join('\n') + shown.text
}

async function listsText(): Promise<readonly string[]> {
  const paths = [
    '/services?limit=1000',
    '/notification_addresses?limit=1000',
    '/service_statuses?embed=service&limit=1000',
  ]
  return Promise.all(paths.map(async (path) => (await world.call('alice', 'GET', path)).text))
}

async function untilToldOf(services: number): Promise<void> {
  await world.call('alice', 'POST', '/services/bulk_update', {
    ids: (await world.call('alice', 'GET', '/services?fields=id&limit=1000')).answer.map(({ id }) => id),
    is_active: false,
  })
  const kinds = () => heard.events.filter(({ event }) => event === 'service_status').length
  await vi.waitFor(() => expect(kinds()).toBeGreaterThanOrEqual(services), patience)
}
