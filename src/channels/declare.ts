import type { Variable } from '../config/variable.ts'
import type { Problem } from '../domain/input/problem.ts'
import type { ProblemDetail } from '../domain/input/problem-codes.ts'
import type { ElementText } from '../wording/catalogue.ts'
import type { Language } from '../wording/language.ts'
import type { Transport } from './delivery.ts'

/**
 * The form of a notification. `sms`: one short line · `line`: one line · `text`: the whole as plain text · `page`: text
 * and HTML · `illustrated`: the same with every check and the picture of the failure · `data`: text, with the facts as
 * JSON attached.
 */
export type Style = 'sms' | 'line' | 'text' | 'page' | 'illustrated' | 'data'

/** The form of the channel's addresses. */
export interface AddressForm {
  readonly pattern: RegExp
  /** The message about an invalid address: a text of the catalogue, or the channel's own. */
  readonly expected: ProblemDetail | Readonly<Record<Language, string>>
  /** The same text for the same destination in any spelling. Default: the address in lower case. */
  readonly destination?: (address: string) => string
}

/** A notification channel, with everything that the program knows about it. */
export interface Channel {
  readonly id: string
  /** The words in the dictionary `notification_channels`. */
  readonly words: Readonly<Record<Language, ElementText>>
  /** Null: the address consists of fields, which an integration declares. */
  readonly address: AddressForm | null
  readonly style: Style
  /** New services notify through it if the package allows it (answers §7). */
  readonly isUsual?: true
  /** Each message costs the operator money: addresses and messages are counted, and strangers get none. */
  readonly isMetered?: true
  /** Programs read it, so every event is sent separately, even in a storm. The style `data` implies this. */
  readonly isForPrograms?: true
}

type Variables = Readonly<Record<string, Variable<unknown>>>

/** The values of variables. Undefined: not given, and without a default. */
export type ValuesOf<Given extends Variables> = {
  readonly [Name in keyof Given]: Given[Name] extends Variable<infer Value, infer Default>
    ? Default extends string
      ? Value
      : Value | undefined
    : never
}

/** The parts of this machine that a gateway may use. */
export interface GatewayMachine {
  readonly dataDirectory: string
}

/** A gateway as configured by the operator. */
export interface Connection {
  /** The destination of messages, for people: a host, or a note that they stay here. */
  readonly goesTo: string
  /** Its settings; they hold secrets. */
  readonly settings: object
  readonly open: () => Transport
}

interface GatewayFacts<Given extends Variables> {
  /** The channel that stands for the gateway. */
  readonly id: string
  /** The name of its messages: `SMS`. */
  readonly name: string
  readonly channels: readonly Channel[]
  readonly variables: Given
  /** The variable without which it does not work. */
  readonly needs: string
}

interface GatewayDeclaration<Given extends Variables> extends GatewayFacts<Given> {
  readonly needs: keyof Given & string
  /** Reports values that are valid one by one but not together; invalid ones are left out. */
  readonly contradictions?: (values: Partial<ValuesOf<Given>>) => readonly string[]
  /** Null: it is not configured, so notifications through its channels fail. */
  readonly connect: (values: ValuesOf<Given>, machine: GatewayMachine) => Connection | null
  /** The rate limit of this process in messages per minute; undefined: none. */
  readonly perMinute: (values: ValuesOf<Given>) => number | undefined
}

/** A gateway and whether the operator configured it. */
export interface ConfiguredGateway {
  readonly id: string
  readonly name: string
  readonly needs: string
  /** Null: notifications through its channels fail. */
  readonly connection: Connection | null
  /** The rate limit of this process in messages per minute; undefined: none. */
  readonly perMinute: number | undefined
}

/** A gateway carries the messages of one or more channels; the operator configures it with variables. */
export interface Gateway<Given extends Variables = Variables> extends GatewayFacts<Given> {
  /** `values` holds all variables of the program, including its own. */
  readonly configure: (values: object, machine: GatewayMachine) => ConfiguredGateway
  /** The faults of values that are valid one by one; invalid ones are left out. */
  readonly contradictionsIn: (values: object) => readonly string[]
}

export function gateway<const Given extends Variables>({
  contradictions,
  connect,
  perMinute,
  ...facts
}: GatewayDeclaration<Given>): Gateway<Given> {
  const { id, name, needs } = facts
  // The declaration's variables have parsed the values.
  const own = (values: object) => values as ValuesOf<Given>
  return {
    ...facts,
    configure: (values, machine) =>
      Object.freeze({
        ...{ id, name, needs },
        connection: connect(own(values), machine),
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
