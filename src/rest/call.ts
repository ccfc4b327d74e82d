import type { Readable } from 'node:stream'
import type { Sql } from 'sql-template-tag'
import type { Database } from '../database/connect.ts'
import type { Caller } from '../domain/access/caller.ts'
import type { KeyScope } from '../domain/access/key-scopes.ts'
import type { ByteRange } from '../domain/queries/byte-range.ts'
import type { Row } from '../domain/queries/condition.ts'
import type { Language } from '../wording/language.ts'
import type { Access, Registry, Resource, Variants } from './declare.ts'
import type { Field, Fields } from './fields.ts'

/** An object before and after its change; null: it was created, or removed. */
export interface Change {
  readonly resource: Resource
  readonly before: Row | null
  readonly after: Row | null
}

/** Collects the changes of the transaction that runs, for the audit log. */
export interface Trail {
  /** A change is going to be noted, so nothing has to be read to find out about it. */
  expect(): void
  note(change: Change): void
  /** Parameters of the object that the next transaction is about, where the path does not name it. */
  turnTo(parameters: Call['parameters']): void
}

/** One request as an operation sees it: who, when, with what. */
export interface Call {
  readonly caller: Caller
  readonly language: Language
  /** The one that `Accept-Language` names; null when the request prefers none of ours. */
  readonly askedLanguage: Language | null
  /** Unix milliseconds; the same moment for the whole request. */
  readonly nowAt: number
  readonly database: Database
  readonly registry: Registry
  /** `collate …` for ordering texts. */
  readonly collation: Sql
  /** Values of the path's parameters, decoded. */
  readonly parameters: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** The parsed JSON body; undefined when there was none. */
  readonly body: unknown
  /** The token of the Authorization header, for the one operation that shows it again. */
  readonly bearerToken: string | null
  /** The media types that the request prefers, as it names them; empty for any. */
  readonly accept: string
  /** The header `If-Match`: the version that the caller changes. */
  readonly ifMatch: string | null
  /** The header `Last-Event-ID`: where the caller left the event stream. */
  readonly lastEventId: string | null
  /** A browser that follows a link: it prefers a page to JSON. */
  readonly prefersPage: boolean
  /** The result of `Writing.verify`. */
  readonly verified?: unknown
  readonly ipAddress: string
  readonly userAgent: string
  /** The header `Latarnik-Source`: what the caller says it is. */
  readonly source: string | null
  /** Collects changes for the audit log; null where none is kept. */
  readonly trail: Trail | null
  /** Counts as so many further requests of the caller; refuses above the limit of a minute. */
  readonly charge: (requests: number) => Promise<void>
  /** For a fault of ours that the answer only tells of in a part of it. */
  readonly logFault: (error: unknown) => void
  /** `http://host:port/v3`, for Location and links. */
  readonly baseUrl: string
}

/** Bytes that are read only as far as they are sent. */
export interface StoredContent {
  readonly size: number
  /** Tells apart contents by their bytes; goes into the ETag. */
  readonly digest: string
  /** Refuses when the bytes are not there any more. */
  open(range: ByteRange): Promise<Readable>
}

export interface Answer {
  readonly status: number
  /** Sent as JSON; undefined sends no body. */
  readonly body?: unknown
  /** A body that is written as JSON already. */
  readonly json?: Uint8Array
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as they are, with the content type of `headers`. */
  readonly bytes?: Uint8Array
  /** Sent with ranges and conditions (RFC 9110, sections 13 and 14), with the content type of `headers`. */
  readonly content?: StoredContent
  /**
   * Sent as it comes, with the content type of `headers`, until it or the server ends. It is destroyed if the client
   * hangs up.
   */
  readonly stream?: Readable
}

export interface ParameterDescription {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly about: string
  readonly schema: Readonly<Record<string, unknown>>
  readonly example?: unknown
  /** Without this parameter of a query nothing is found. Parameters of a path are always needed. */
  readonly isRequired?: boolean
  /** An array in one parameter: `a,b`. Otherwise each element is a parameter of its own. */
  readonly isCommaSeparated?: boolean
}

/** Of an answer with a secret: no cache keeps it (RFC 6749, section 5.1), and it is not compressed. */
export const secretHeaders = { 'Cache-Control': 'no-store' } as const

export interface AnswerDescription {
  readonly about: string
  /** A JSON Schema. */
  readonly schema?: Readonly<Record<string, unknown>>
  readonly contentType?: string
  /** Other types that the answer may have, with their schemas; one of stars and a slash for all others. */
  readonly others?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * One method on one path. Standard operations are derived from declarations; the others are written by hand in the same
 * shape.
 */
export interface Operation {
  /** Unique: `groups.list`. */
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below the base path, parameters in braces: `/groups/{_id}`. */
  readonly path: string
  /** Heading in the documentation. */
  readonly tag: string
  readonly summary: string
  readonly about?: string
  readonly deprecated?: boolean
  readonly access: Access
  /** The resource that it belongs to; derived. */
  readonly resource?: string
  /** The scope that an API key needs; `none`: no key may call it. Derived unless it is given. */
  readonly scope?: KeyScope | 'none'
  /** An account that must have a second factor may call it before it has one. */
  readonly isBeforeSecondFactor?: boolean
  /** Whether a key that is narrowed to groups or tags may call it. Derived unless it is given. */
  readonly forNarrowedKeys?: boolean
  readonly parameters?: readonly ParameterDescription[]
  /** Fields of the JSON body, for the documentation and for `readBody`. */
  readonly body?: Fields | Field | undefined
  /** Members that a body needs unless it has another one. */
  readonly neededUnless?: { readonly given: string; readonly needed: readonly string[] }
  /** The form of a member of the body that another member decides. */
  readonly variants?: Variants | null
  /** It may be sent without a body. Default: it must have the one that is described. */
  readonly isBodyOptional?: boolean
  readonly answers: Readonly<Record<number, AnswerDescription>>
  /** Its answers are bytes of which a part can be asked for. */
  readonly hasRanges?: boolean
  /** `If-Match` is heard: it changes an object only in the version that the caller knows. */
  readonly hearsIfMatch?: boolean
  /** Its answer goes on until somebody ends it. The console may open it with the cookie of its session. */
  readonly isStream?: boolean
  /** Statuses of refusals beyond those that its access and its body bring. */
  readonly refusals?: readonly number[]
  handle(call: Call): Promise<Answer>
}
