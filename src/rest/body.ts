import type { FastifyRequest } from 'fastify'
import { jsonFaultAt, placeOf } from '../domain/input/json-fault.ts'
import { refuse } from './problems.ts'

/** Bytes of a request body that are read at most. */
export const maximumBodyBytes = 1024 * 1024

/** The same of callers without credentials, for every operation. */
export const maximumStrangersBytes = 16 * 1024

/** Refuses what a stranger sent beyond that, before anything of it is parsed. */
export function refuseLargeBody({ body }: FastifyRequest): void {
  if (Buffer.isBuffer(body) && body.length > maximumStrangersBytes)
    refuse('payload_too_large', undefined, { maximum: maximumStrangersBytes })
}

const maximumDepth = 32
/**
 * The limit for the values of all lists and the members of all objects together. Reading and validating that many takes
 * some tens of milliseconds.
 */
const maximumElements = 20_000

/** Throws for bytes that are no UTF-8, instead of keeping something else than what was sent. */
const utf8 = new TextDecoder('utf-8', { fatal: true })

interface Size {
  readonly depth: number
  readonly elements: number
}

/** Nesting of brackets, and values between them, outside strings; a cheap pass that protects everything behind it. */
function sizeOf(text: string): Size {
  let depth = 0
  let deepest = 0
  let elements = 0
  let inString = false
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (inString) {
      if (code === 92) index += 1
      else if (code === 34) inString = false
    } else if (code === 34) inString = true
    else if (code === 44) elements += 1
    else if (code === 91 || code === 123) {
      deepest = Math.max(deepest, ++depth)
      elements += 1
    } else if (code === 93 || code === 125) depth -= 1
  }
  return { depth: deepest, elements }
}

/** A media type of JSON, also one with a suffix (RFC 6839, `application/problem+json`). */
export function isJsonType(type: string): boolean {
  return /^application\/(json|[\w.-]+\+json)\s*(;|$)/i.test(type)
}

/** A body that is packed would have to be unpacked by us, to whatever size. */
function isPacked({ headers }: FastifyRequest): boolean {
  return (headers['content-encoding'] ?? 'identity').trim().toLowerCase() !== 'identity'
}

/**
 * The JSON body. Undefined if it is empty or the method has none (a body sent with GET or DELETE is ignored, answers
 * §2).
 */
export function parseBody(request: FastifyRequest): unknown {
  if (request.method !== 'POST' && request.method !== 'PUT') return undefined
  const bytes = request.body
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) return undefined
  if (!isJsonType(request.headers['content-type'] ?? '') || isPacked(request)) return refuse('unsupported_media_type')
  const text = decoded(bytes)
  if (text === null) return refuse('incorrect_json', 'data', { depth: maximumDepth })
  const { depth, elements } = sizeOf(text)
  if (depth > maximumDepth) return refuse('incorrect_json', 'data', { depth: maximumDepth })
  if (elements > maximumElements) return refuse('value_too_long', 'data', { maximum: maximumElements })
  try {
    return JSON.parse(text)
  } catch {
    return refuse('incorrect_json', 'data', placeOf(text, jsonFaultAt(text) ?? text.length))
  }
}

function decoded(bytes: Buffer): string | null {
  try {
    return utf8.decode(bytes)
  } catch {
    return null
  }
}
