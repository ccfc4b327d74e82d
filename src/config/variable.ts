import * as z from 'zod'
import { parseAddressRange } from '../auth/address-filter.ts'
import { isUsername } from '../domain/access/credentials.ts'
import { isPageHost } from '../domain/status-pages/status-page.ts'

/** One variable of the configuration. */
export interface Variable<Value, Default extends string | undefined = string | undefined> {
  /** The default as a user would write it; undefined leaves the variable unset. */
  readonly defaultText: Default
  /** An invalid text; null: any text is valid. */
  readonly wrongText: string | null
  readonly schema: z.ZodType<Value, string>
  readonly type: string
  readonly meaning: string
  /** Another accepted spelling in the environment. */
  readonly alias?: string
  /** Never repeated in messages. */
  readonly isSecret?: true
  /** An empty text is a value of its own, rather than the same as an absent variable. */
  readonly emptyIsValue?: true
}

export function variable<Value, Default extends string | undefined>(
  definition: Variable<Value, Default>,
): Variable<Value, Default> {
  return definition
}

interface Bounds {
  readonly minimum: number
  readonly maximum: number
}

export function wholeNumber(minimum: number, maximum: number): z.ZodType<number, string> {
  const rule = `must be a whole number from ${minimum} to ${maximum}`
  return z
    .string()
    .regex(/^\d{1,9}$/, rule)
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, rule)
}

export function degrees({ minimum, maximum }: Bounds): z.ZodType<number, string> {
  const rule = `must be a number of degrees from ${minimum} to ${maximum}, like 18.65`
  return z
    .string()
    .regex(/^-?\d{1,3}(\.\d{1,15})?$/, rule)
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, rule)
}

export function address(...protocols: string[]): z.ZodType<string, string> {
  return z.string().refine(
    (text) => {
      if (!URL.canParse(text)) return false
      const { protocol, port } = new URL(text)
      // Nothing listens on port 0, and some libraries take it for the usual port.
      return protocols.includes(protocol) && port !== '0'
    },
    `must be an address like ${protocols.map((protocol) => `${protocol}//…`).join(' or ')}`,
  )
}

export function matching(isRight: (text: string) => boolean, rule: string): z.ZodType<string, string> {
  return z.string().refine(isRight, rule)
}

export function split(list: string): string[] {
  return list.split(',').map((item) => item.trim())
}

export const text = z.string()
export const onOrOff = z.enum(['on', 'off'], 'must be on or off').transform((value) => value === 'on')

export const addressRanges = text
  .refine((list) => split(list).every((range) => parseAddressRange(range)), 'must be a comma list of CIDR ranges')
  .transform(split)

const hostList = text.transform((list) => split(list.toLowerCase()))

export const pageHostNames = hostList.refine(
  (hosts) => hosts.every((host) => host === '*' || isPageHost(host.replace(/^\*\./, ''))),
  'must be a comma list of host names of several parts, *.name, or *',
)

export const wildcardHosts = hostList.refine(
  (hosts) => hosts.every((host) => host.startsWith('*.') && isPageHost(host.slice(2))),
  'must be a comma list of *.name, with a name of several parts',
)

/** Accounts; `*` means all. */
export const usernames = text
  .transform((list) => split(list.toLowerCase()))
  .refine((names) => names.every((name) => name === '*' || isUsername(name)), 'must be a comma list of usernames, or *')
