import type { Registration } from '../domain/expiry/registration.ts'
import { storable } from '../domain/input/storable.ts'
import { asciiName } from './ascii-name.ts'
import { endOfWhois } from './whois-date.ts'

/**
 * The answer of a WHOIS server about a domain. No standard says how it looks, so only lines count whose meaning is
 * beyond doubt: a date that could be read in two ways is none.
 */

export type WhoisReading =
  | { readonly kind: 'found'; readonly registration: Registration }
  | { readonly kind: 'missing' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'unclear' }

const most = { lines: 3000, line: 500, items: 100, characters: 200 }

const labels = {
  name: ['domain', 'domain name', 'domainname', 'ascii name'],
  end: [
    ...['registry expiry date', 'expiry date', 'expiration date', 'expiration time', 'expires', 'expires on'],
    ...['expire date', 'expire', 'paid-till', 'renewal date', 'valid until', 'domain expiration date', 'expire-date'],
  ],
  beginning: ['creation date', 'created', 'created on', 'registered', 'registered on', 'registration date'],
  registrar: ['registrar', 'registrar name', 'sponsoring registrar'],
  nameServers: ['nserver', 'name server', 'nameserver', 'nameservers', 'name servers'],
  statuses: ['domain status', 'status', 'state'],
  signed: ['dnssec'],
} as const

type Label = keyof typeof labels
const labelOf: ReadonlyMap<string, Label> = new Map(
  Object.entries(labels).flatMap(([label, spellings]) => spellings.map((one) => [one, label as Label] as const)),
)

const missing =
  /^(no match\b|not found\b|no entries found|no data found|no object found|nothing found|no such domain|domain not found|the queried object does not exist|status:\s*(available|free)\b|state:\s*(available|free)\b)/
const missingByName =
  /^(the )?domain (name )?\S+ (was |is |has )?(not found|not registered|not been registered|available)\b/
const refused =
  /limit exceeded|exceeded .{0,40}(limit|quota)|quota exceeded|too many (requests|queries)|queries too fast/

export function readWhois(text: string, domain: string): WhoisReading {
  const lines = text
    .split(/\r\n|\r|\n/, most.lines)
    .map((line) => line.slice(0, most.line).trim())
    .filter((line) => line !== '')
  const plain = lines.map((line) => line.replace(/^[%#>*;\s]+/, '').toLowerCase())
  if (plain.some((line) => missing.test(line) || missingByName.test(line))) return { kind: 'missing' }
  const said = valuesIn(lines)
  const isNamed = (said.get('name') ?? []).some((name) => asciiName(name) === domain)
  if (isNamed) return { kind: 'found', registration: registrationOf(domain, said) }
  return { kind: plain.some((line) => refused.test(line)) ? 'refused' : 'unclear' }
}

function valuesIn(lines: readonly string[]): ReadonlyMap<Label, readonly string[]> {
  const said = new Map<Label, string[]>()
  for (const line of lines) {
    const [key, value] = partsOf(line)
    const label = labelOf.get(key)
    if (label === undefined || value === '') continue
    const values = said.get(label) ?? []
    if (values.length < most.items) values.push(value)
    said.set(label, values)
  }
  return said
}

/** `Expires: …`, `expires.....: …` and `[Expires on] …`. */
function partsOf(line: string): readonly [string, string] {
  const isBracketed = line.startsWith('[')
  const at = line.indexOf(isBracketed ? ']' : ':')
  if (at < 0) return ['', '']
  const key = line.slice(isBracketed ? 1 : 0, at).replace(/(?<![\s.])[\s.]+$/, '')
  return [key.toLowerCase(), line.slice(at + 1).trim()]
}

function registrationOf(domain: string, said: ReadonlyMap<Label, readonly string[]>): Registration {
  const values = (label: Label) => said.get(label) ?? []
  const latest = (label: Label) => {
    const moments = values(label).flatMap((value) => endOfWhois(value) ?? [])
    return moments.length === 0 ? null : Math.max(...moments)
  }
  const [registrar] = values('registrar')
  const [signed = ''] = values('signed')
  return {
    domain,
    endsAt: latest('end'),
    registeredAt: latest('beginning'),
    registrar: registrar === undefined ? null : bounded(registrar),
    nameServers: [
      ...new Set(values('nameServers').flatMap((value) => asciiName(value.split(/\s/)[0] ?? '') ?? [])),
    ].map(bounded),
    isSigned: /^(signed|yes|active)/i.test(signed) ? true : /^(unsigned|no|inactive)/i.test(signed) ? false : null,
    statuses: values('statuses').flatMap(statusesIn).slice(0, most.items),
  }
}

/** As RDAP spells them: `clientHold https://…` is `client hold`. */
function statusesIn(value: string): readonly string[] {
  return value.split(',').map((part) => {
    const words = part.replace(/\bhttps?:\S+/, '').trim()
    return bounded(words.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase())
  })
}

function bounded(text: string): string {
  return storable(text.slice(0, most.characters))
}
