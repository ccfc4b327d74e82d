import type { Variable } from '../config/variable.ts'
import type { Problem } from '../domain/problem.ts'
import type { ProblemDetail } from '../domain/problem-codes.ts'
import type { ElementText } from '../wording/catalogue.ts'
import type { Language } from '../wording/language.ts'
import type { Transport } from './delivery.ts'

/**
 * How a notification is worded. `sms`: one short line · `line`: one line · `text`: the whole as plain text · `page`: text and HTML ·
 * `illustrated`: the same with every check and the picture of the failure · `data`: text, with the facts as JSON attached.
 */
export type Style = 'sms' | 'line' | 'text' | 'page' | 'illustrated' | 'data'

/** What an address of the channel looks like. */
export interface AddressForm {
  readonly pattern: RegExp
  /** What users read of an address that does not match: a text of the catalogue, or one of the channel's own. */
  readonly expected: ProblemDetail | Readonly<Record<Language, string>>
  /** The same text for the same destination, however it is written. Default: in small letters. */
  readonly destination?: (address: string) => string
}

/** A notification channel: all that the program knows of it. */
export interface Channel {
  readonly id: string
  /** As the dictionary `notification_channels` shows it. */
  readonly words: Readonly<Record<Language, ElementText>>
  /** Null: the address is made of fields, which an integration declares. */
  readonly address: AddressForm | null
  readonly style: Style
  /** New services notify by it where the package allows it (answers §7). */
  readonly isUsual?: true
  /** Each message costs the operator money: addresses and messages are counted, and strangers get none. */
  readonly isMetered?: true
  /** Programs read it: every event goes by itself, even in a storm. Messages of the style `data` do so, too. */
  readonly isForPrograms?: true
}

type Variables = Readonly<Record<string, Variable<unknown>>>

/** The values of variables; undefined: it was not given and has no default. */
export type ValuesOf<Given extends Variables> = {
  readonly [Name in keyof Given]: Given[Name] extends Variable<infer Value, infer Default>
    ? Default extends string
      ? Value
      : Value | undefined
    : never
}

/** What a gateway may use of this machine. */
export interface Ground {
  readonly dataDirectory: string
}

/** A gateway as the operator configured it. */
export interface Connection {
  /** Where messages go, for people: a host, or what says that they stay here. */
  readonly goesTo: string
  /** What it goes by; holds secrets. */
  readonly settings: object
  readonly open: () => Transport
}

interface GatewayFacts<Given extends Variables> {
  /** The channel that it is known for. */
  readonly id: string
  /** As people call what it carries: `SMS`. */
  readonly name: string
  readonly channels: readonly Channel[]
  readonly variables: Given
  /** The variable without which it does not work. */
  readonly needs: string
}

interface GatewayDeclaration<Given extends Variables> extends GatewayFacts<Given> {
  readonly needs: keyof Given & string
  /** Values that are right one by one but not together; those that are wrong are left out. */
  readonly contradictions?: (values: Partial<ValuesOf<Given>>) => readonly string[]
  /** Null: it is not configured, so that notifications by its channels fail. */
  readonly connect: (values: ValuesOf<Given>, ground: Ground) => Connection | null
  /** Messages a minute from this process; undefined: no limit. */
  readonly perMinute: (values: ValuesOf<Given>) => number | undefined
}

/** A gateway and whether the operator configured it. */
export interface ConfiguredGateway {
  readonly id: string
  readonly name: string
  readonly needs: string
  /** Null: notifications by its channels fail. */
  readonly connection: Connection | null
  /** Messages a minute from this process; undefined: no limit. */
  readonly perMinute: number | undefined
}

/** What carries the messages of one channel, or of several; the operator configures it by variables. */
export interface Gateway<Given extends Variables = Variables> extends GatewayFacts<Given> {
  /** `values`: those of all variables of the program, among which its own are. */
  readonly configure: (values: object, ground: Ground) => ConfiguredGateway
  /** What is wrong with values that are right one by one; those that are wrong by themselves are left out. */
  readonly contradictionsIn: (values: object) => readonly string[]
}

export function gateway<const Given extends Variables>({
  contradictions,
  connect,
  perMinute,
  ...facts
}: GatewayDeclaration<Given>): Gateway<Given> {
  const { id, name, needs } = facts
  // The variables of the declaration have read the values.
  const own = (values: object) => values as ValuesOf<Given>
  return {
    ...facts,
    configure: (values, ground) =>
      Object.freeze({
        ...{ id, name, needs },
        connection: connect(own(values), ground),
        perMinute: perMinute(own(values)),
      }),
    contradictionsIn: (values) => contradictions?.(values as Partial<ValuesOf<Given>>) ?? [],
  }
}

/** Characters. */
const longestAddress = 254

/** Problems: value_too_long, incorrect_value. */
export function addressProblems({ address: form }: Channel, address: string): readonly Problem[] {
  if (form === null) return []
  if (address.length > longestAddress) {
    return [{ error: 'value_too_long', field: 'data.address', facts: { maximum: longestAddress } }]
  }
  if (form.pattern.test(address)) return []
  const problem = { error: 'incorrect_value', field: 'data.address' } as const
  const { expected } = form
  return [typeof expected === 'string' ? { ...problem, facts: { detail: expected } } : { ...problem, expected }]
}
