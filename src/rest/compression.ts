import { pipeline, Readable, type Transform } from 'node:stream'
import { promisify } from 'node:util'
import { type BrotliOptions, brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import { bounded } from './language.ts'

type Encoding = 'br' | 'gzip'

/** Smaller bodies fit into one packet. */
const smallestBytes = 1024

/** Event streams and NDJSON are missing: their lines must not wait in a compressor. */
const compressibleTypes = /^(text\/(?!event-stream)|application\/(json|javascript|xml)\b|[\w.+/-]+\+(json|xml)\b)/

/**
 * The body may hold a secret beside words of the request, and then the length of a compressed body reveals the secret
 * (BREACH). Answers with secrets and refusals say `no-store`.
 */
const notTransformed = /\bno-(store|transform)\b/

/**
 * For a list of 1,000 services the next level saves nothing with gzip and a tenth with br, for two to four times the
 * CPU.
 */
const gzipLevel = 3
const brotliQuality = 3

function brotliOptions(size?: number): BrotliOptions {
  const hint = size === undefined ? {} : { [constants.BROTLI_PARAM_SIZE_HINT]: size }
  return { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality, ...hint } }
}

/** Both work in threads of their own. */
const compressAll: Record<Encoding, (bytes: Uint8Array) => Promise<Buffer>> = {
  br: (bytes) => promisify<Uint8Array, BrotliOptions, Buffer>(brotliCompress)(bytes, brotliOptions(bytes.byteLength)),
  gzip: (bytes) => promisify<Uint8Array, { level: number }, Buffer>(gzip)(bytes, { level: gzipLevel }),
}

const compressor: Record<Encoding, () => Transform> = {
  br: () => createBrotliCompress(brotliOptions()),
  gzip: () => createGzip({ level: gzipLevel }),
}

/** The types of the package lack the second parameter. */
interface PreferringNegotiator {
  encodings(available: readonly string[], options: { readonly preferred: readonly string[] }): readonly string[]
}

/** The encoding that the request prefers; null: the body goes as it is. */
function preferredBy({ headers }: FastifyRequest): Encoding | null {
  const accepted = headers['accept-encoding']
  if (accepted === undefined) return null
  const negotiator: PreferringNegotiator = new Negotiator({ headers: { 'accept-encoding': bounded(String(accepted)) } })
  const [first] = negotiator.encodings(['br', 'gzip', 'identity'], { preferred: ['br', 'gzip'] })
  return first === 'br' || first === 'gzip' ? first : null
}

/** The facts that decide whether a body is compressed. */
interface Body {
  readonly type: string
  /** Undefined: unknown. */
  readonly size: number | undefined
}

function isCompressible({ type, size = smallestBytes }: Body): boolean {
  return size >= smallestBytes && compressibleTypes.test(type)
}

/** The same content in another encoding has other bytes, so that its tag is weak (RFC 9110, section 8.8.1). */
function weak(tag: string): string {
  return tag.startsWith('W/') ? tag : `W/${tag}`
}

/** The tag that an answer 200 with this body carries, given that of the plain bytes. */
export function tagAsSent(request: FastifyRequest, tag: string, body: Body): string {
  return isCompressible(body) && preferredBy(request) !== null ? weak(tag) : tag
}

function textOf(header: unknown): string {
  return header === undefined ? '' : String(header)
}

function bodyOf(reply: FastifyReply, payload: Uint8Array | string | Readable): Body {
  const type = textOf(reply.getHeader('content-type'))
  if (!(payload instanceof Readable)) return { type, size: Buffer.byteLength(payload) }
  const told = reply.getHeader('content-length')
  return { type, size: told === undefined ? undefined : Number(told) }
}

function mayBeTransformed(reply: FastifyReply): boolean {
  const isPart = reply.statusCode === 206 || reply.hasHeader('content-range')
  return (
    !isPart && !reply.hasHeader('content-encoding') && !notTransformed.test(textOf(reply.getHeader('cache-control')))
  )
}

function markEncoded(reply: FastifyReply, encoding: Encoding): void {
  reply.header('Content-Encoding', encoding).removeHeader('Content-Length').removeHeader('Accept-Ranges')
  const tag = reply.getHeader('etag')
  if (tag !== undefined) reply.header('ETag', weak(String(tag)))
}

function variesByEncoding(reply: FastifyReply): void {
  const names = textOf(reply.getHeader('vary'))
  if (/\baccept-encoding\b/i.test(names)) return
  reply.header('Vary', names === '' ? 'Accept-Encoding' : `${names}, Accept-Encoding`)
}

type Payload = Uint8Array | string | Readable

function isPayload(payload: unknown): payload is Payload {
  return typeof payload === 'string' || payload instanceof Uint8Array || payload instanceof Readable
}

async function encoded(request: FastifyRequest, reply: FastifyReply, payload: Payload): Promise<Payload> {
  if (!mayBeTransformed(reply)) return payload
  const body = bodyOf(reply, payload)
  if (!compressibleTypes.test(body.type)) return payload
  variesByEncoding(reply)
  const encoding = isCompressible(body) ? preferredBy(request) : null
  if (encoding === null) return payload
  markEncoded(reply, encoding)
  if (!(payload instanceof Readable)) {
    return compressAll[encoding](typeof payload === 'string' ? Buffer.from(payload) : payload)
  }
  // Nobody reads the body of an answer to HEAD.
  if (request.method === 'HEAD') return payload
  const compressing = compressor[encoding]()
  // The framework hears of a failure from the compressor.
  pipeline(payload, compressing, () => {})
  return compressing
}

/** Compresses every answer that gains by it, where the client asks. */
export function compressAnswers(server: FastifyInstance): void {
  server.addHook('onSend', async (request, reply, payload) =>
    isPayload(payload) ? encoded(request, reply, payload) : payload,
  )
}
