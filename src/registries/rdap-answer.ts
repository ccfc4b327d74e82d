import * as z from 'zod'
import type { Registration } from '../domain/expiry/registration.ts'
import { storable } from '../domain/input/storable.ts'
import { asciiName } from './ascii-name.ts'

/** The answer of a registry about a domain (RFC 9083). Members that are not as they should be count as missing. */

const most = { items: 100, events: 1000, characters: 200 }
/** Ends before or after are mistakes. */
const years = { first: Date.UTC(1985, 0, 1), last: Date.UTC(2300, 0, 1) }

const texts = z
  .array(z.unknown())
  .catch([])
  .transform((items) => items.slice(0, most.items).filter((item) => typeof item === 'string'))

const event = z.object({ eventAction: z.string(), eventDate: z.string() })

const entity = z.object({
  roles: texts,
  vcardArray: z.tuple([z.unknown(), z.array(z.unknown())]).catch(['', []]),
})

/** The items that have the shape; a list that is none is empty. */
function each<T>(shape: z.ZodType<T>, longest: number) {
  return z
    .array(z.unknown())
    .catch([])
    .transform((items) =>
      items.slice(0, longest).flatMap((item) => {
        const read = shape.safeParse(item)
        return read.success ? [read.data] : []
      }),
    )
}

const domainObject = z.object({
  objectClassName: z.literal('domain'),
  ldhName: z.string().nullish().catch(null),
  unicodeName: z.string().nullish().catch(null),
  events: each(event, most.events),
  entities: each(entity, most.items),
  nameservers: each(z.object({ ldhName: z.string() }), most.items),
  status: texts,
  secureDNS: z.object({ delegationSigned: z.boolean().nullish() }).nullish().catch(null),
})

/** The registration; a sentence for a text that is no answer about this domain. */
export function readRegistration(text: string, domain: string): Registration | string {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return 'its answer is not JSON'
  }
  const read = domainObject.safeParse(json)
  if (!read.success) return 'its answer does not describe a domain'
  const { ldhName, unicodeName, events, entities, nameservers, status, secureDNS } = read.data
  const name = asciiName(ldhName ?? unicodeName ?? '')
  if (name !== domain) return `its answer is about ${JSON.stringify(name ?? '')}`
  return {
    domain,
    endsAt: latest(events, 'expiration'),
    registeredAt: latest(events, 'registration'),
    registrar: registrarIn(entities),
    nameServers: nameservers.flatMap((server) => asciiName(server.ldhName) ?? []).map(bounded),
    isSigned: secureDNS?.delegationSigned ?? null,
    statuses: status.map((one) => bounded(one.toLowerCase())),
  }
}

/** The last one of several events: a renewal adds one. */
function latest(events: readonly z.infer<typeof event>[], action: string): number | null {
  const moments = events
    .filter(({ eventAction }) => eventAction.toLowerCase() === action)
    .map(({ eventDate }) => Date.parse(eventDate))
    .filter((at) => at >= years.first && at <= years.last)
  return moments.length === 0 ? null : Math.max(...moments)
}

function registrarIn(entities: readonly z.infer<typeof entity>[]): string | null {
  const registrar = entities.find(({ roles }) => roles.includes('registrar'))
  const property = registrar?.vcardArray[1].find((one) => Array.isArray(one) && one[0] === 'fn')
  const name: unknown = Array.isArray(property) ? property[3] : null
  return typeof name === 'string' && name.trim() !== '' ? bounded(name.trim()) : null
}

function bounded(text: string): string {
  return storable(text.slice(0, most.characters))
}
