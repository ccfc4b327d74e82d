import { pipeline, Readable, Transform } from 'node:stream'
import type { S3Client } from '@aws-sdk/client-s3'
import { longestArtifact } from './store.ts'

export interface S3Location {
  /** Undefined: Amazon's own. */
  readonly endpoint: string | undefined
  readonly region: string
  readonly bucket: string
  /** Precedes every key; empty, or ends in a slash. */
  readonly prefix: string
  /** Undefined: the SDK finds them (environment, profile, role of the machine). */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined
}

/** Milliseconds in which a store sends nothing of an answer that it began. */
const longestPause = 5 * 60_000

/** The bytes as far as an answer may go, because the SDK gathers lists and errors in memory. */
function bounded(body: Readable): Readable {
  let length = 0
  const kept = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      length += chunk.length
      if (length > longestArtifact) done(new Error(`its answer has more than ${longestArtifact} bytes`))
      else done(null, chunk)
    },
  })
  // The reader sees the error on the kept bytes; destroying them closes the answer.
  pipeline(body, kept, () => undefined)
  return kept
}

function boundAnswers(client: S3Client): void {
  client.middlewareStack.add(
    (next) => async (args) => {
      const answered = await next(args)
      const { response } = answered as { response: { body?: unknown } }
      if (response.body instanceof Readable) response.body = bounded(response.body)
      return answered
    },
    // Low: between the SDK's own reading of the answer and the network.
    { step: 'deserialize', priority: 'low', name: 'boundAnswers' },
  )
}

/** The SDK is large, so it is loaded with the first artifact. */
export async function clientOf({ endpoint, region, credentials }: S3Location): Promise<S3Client> {
  const { S3Client: Client } = await import('@aws-sdk/client-s3')
  const client = new Client({
    region,
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    ...(credentials === undefined ? {} : { credentials }),
    maxAttempts: 2,
    requestHandler: { socketTimeout: longestPause },
    // Many compatible stores know only the checksums that they ask for.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  boundAnswers(client)
  return client
}
