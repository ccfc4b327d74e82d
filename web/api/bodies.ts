import type { BodyAt, Method } from '../../client/client.ts'

/** Methods that change something. */
export type Changing = Exclude<Method, 'GET'>

/** The settings of a service are named by their formats, which are known only at run time. */
type Settings = Readonly<Record<string, unknown>>

/**
 * A form holds texts where the API has words, such as the ids of channels, and where it has numbers. A text that is no
 * number is sent unchanged, and an empty field as null, so that the API says what it expects.
 */
type Worded<T> = T extends string
  ? string | null
  : T extends number
    ? number | string | null
    : T extends readonly (infer Element)[]
      ? readonly Worded<Element>[]
      : T extends object
        ? { readonly [Name in keyof T]: Name extends 'extended_settings' ? Settings : Worded<T[Name]> }
        : T

/** The body of a request to an address, as a form has it. */
export type Sent<M extends Changing, A extends string> = Worded<BodyAt<M, A>>

/** The names that an object may have; of a choice of objects, those of any. */
type NamesOf<T> = T extends readonly unknown[] ? never : T extends object ? keyof T : never

type MemberOf<T, Name extends PropertyKey> = T extends object ? (Name extends keyof T ? T[Name] : never) : never

type ElementOf<T> = T extends readonly (infer Element)[] ? Element : never

/** The given body without any member that the operation does not know, at any depth. */
export type Exactly<Allowed, Given> = unknown extends Allowed
  ? Given
  : Given extends readonly (infer Element)[]
    ? readonly Exactly<ElementOf<Allowed>, Element>[]
    : Given extends object
      ? {
          readonly [Name in keyof Given]: Name extends NamesOf<Allowed>
            ? Exactly<MemberOf<Allowed, Name>, Given[Name]>
            : never
        }
      : Given

/** The body of a request to an address, without members that the operation does not know. */
export type Only<M extends Changing, A extends string, B> = B & NoInfer<Exactly<Sent<M, A>, B>>
