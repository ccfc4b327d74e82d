import { promisify } from 'node:util'
import {
  brotliDecompress,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  gunzip,
  inflate,
  inflateRaw,
} from 'node:zlib'
import { errorText } from '../../domain/text/error-text.ts'
import { errorCode, Failure } from '../../outgoing/failure.ts'
import { bodyCapBytes, type Received } from './received.ts'

interface DecodedBody {
  readonly bytes: Buffer
  readonly isCapped: boolean
}

const decoders = {
  gzip: { whole: promisify(gunzip), piecewise: createGunzip },
  br: { whole: promisify(brotliDecompress), piecewise: createBrotliDecompress },
  deflate: { whole: promisify(inflate), piecewise: createInflate },
  deflateRaw: { whole: promisify(inflateRaw), piecewise: createInflateRaw },
} as const

/** No real page is compressed more often. Each decoding takes time, and a compressed file may unpack to itself. */
const mostEncodings = 5

/**
 * Undoes the content encodings, last applied first. The output is at most a megabyte, whatever the input. An unknown
 * encoding is left as it is, as in browsers. Rejects with `http_decoding_failed`.
 */
export async function decodeBody(received: Received, contentEncoding: string | null): Promise<Buffer> {
  const body = received.body.whole()
  if (contentEncoding === null || body.length === 0) return body
  let decoded: DecodedBody = { bytes: body, isCapped: received.isCapped }
  const names = contentEncoding.toLowerCase().split(',', mostEncodings + 1)
  if (names.length > mostEncodings)
    throw new Failure('http_decoding_failed', `more than ${mostEncodings} content encodings`)
  for (const name of names.reverse()) {
    const decoder = decoderOf(name.trim(), decoded.bytes)
    if (decoder === null) continue
    try {
      decoded = await decode(decoder, decoded)
    } catch (error) {
      throw new Failure('http_decoding_failed', `${name.trim()}: ${errorText(error)}`)
    }
  }
  received.isCapped = decoded.isCapped
  return decoded.bytes
}

type Decoder = (typeof decoders)[keyof typeof decoders]

function decoderOf(name: string, body: Buffer): Decoder | null {
  if (name === 'gzip' || name === 'x-gzip') return decoders.gzip
  if (name === 'br') return decoders.br
  if (name !== 'deflate') return null
  // The low four bits of a zlib stream's first byte are 8; many servers send the raw stream instead.
  return ((body[0] ?? 0) & 0x0f) === 8 ? decoders.deflate : decoders.deflateRaw
}

async function decode(decoder: Decoder, { bytes, isCapped }: DecodedBody): Promise<DecodedBody> {
  if (isCapped) return await decodeBeginning(decoder, bytes)
  try {
    return { bytes: await decoder.whole(bytes, { maxOutputLength: bodyCapBytes }), isCapped: false }
  } catch (error) {
    if (errorCode(error) === 'ERR_BUFFER_TOO_LARGE') return await decodeBeginning(decoder, bytes)
    throw error
  }
}

/** Decodes the first megabyte of a longer result, or the part of a body that arrived before the cap. */
function decodeBeginning(decoder: Decoder, bytes: Buffer): Promise<DecodedBody> {
  return new Promise((resolve, reject) => {
    const stream = decoder.piecewise()
    const chunks: Buffer[] = []
    let length = 0
    const finish = (): void => {
      stream.destroy()
      resolve({ bytes: Buffer.concat(chunks).subarray(0, bodyCapBytes), isCapped: true })
    }
    stream.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      length += chunk.length
      if (length >= bodyCapBytes) finish()
    })
    stream.on('end', finish)
    stream.on('error', (error) => {
      if (length > 0 && errorCode(error) === 'Z_BUF_ERROR') finish()
      else reject(error)
    })
    stream.end(bytes)
  })
}
