import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { slices } from './slices.ts'

const compressors = {
  br: (plain: Buffer) =>
    promisify(brotliCompress)(plain, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: plain.byteLength > largeBytes ? lowQuality : quality,
        [constants.BROTLI_PARAM_SIZE_HINT]: plain.byteLength,
      },
    }),
  gzip: (plain: Buffer) => promisify(gzip)(plain),
}

/** Once for many visitors, so that a little more work pays. */
const quality = 6
const largeBytes = 2 ** 20
const lowQuality = 4

export type Encoding = keyof typeof compressors

/** A document with its encodings, which other threads make when they are first asked for. */
export class Ready {
  readonly type: string
  readonly plain: Buffer
  /** Without quotes. */
  readonly tag: string
  /** Null: that of the page. */
  readonly policy: string | null
  readonly #encoded = new Map<Encoding, Buffer>()
  readonly #encoding = new Map<Encoding, Promise<Buffer>>()

  constructor({ type, plain, tag, policy }: Pick<Ready, 'type' | 'plain' | 'tag' | 'policy'>) {
    this.type = type
    this.plain = plain
    this.tag = tag
    this.policy = policy
  }

  /** At once if it was asked for before. */
  in(encoding: Encoding): Buffer | Promise<Buffer> {
    return this.#encoded.get(encoding) ?? this.#encoding.get(encoding) ?? this.#encode(encoding)
  }

  get bytes(): number {
    return [...this.#encoded.values()].reduce((sum, { byteLength }) => sum + byteLength, this.plain.byteLength)
  }

  #encode(encoding: Encoding): Promise<Buffer> {
    const making = compressors[encoding](this.plain)
      .then((bytes) => {
        this.#encoded.set(encoding, bytes)
        return bytes
      })
      .finally(() => this.#encoding.delete(encoding))
    this.#encoding.set(encoding, making)
    return making
  }
}

const hashedAtOnce = 2 ** 20

/** A digest of the bytes, made in slices. */
export async function tagOf(plain: Buffer): Promise<string> {
  const hash = createHash('sha1')
  for (let at = 0; at < plain.byteLength; at += hashedAtOnce) {
    await slices.breathe()
    hash.update(plain.subarray(at, at + hashedAtOnce))
  }
  return hash.digest('base64url')
}
