import autocannon from 'autocannon'
import type { Case } from './cases.ts'

const timeoutSeconds = 30
const sampleMilliseconds = 20

export interface LoadOptions {
  readonly baseUrl: string
  readonly headers: Readonly<Record<string, string>>
  readonly connections: number
  readonly requests: number
}

/** Sends so many requests, from this process. Throws unless all of them succeed. */
export async function load({ method, path, body }: Case, options: LoadOptions): Promise<void> {
  const { baseUrl, headers, connections, requests } = options
  const report = await autocannon({
    url: baseUrl + path,
    method,
    headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    connections,
    amount: requests,
    sampleInt: sampleMilliseconds,
    timeout: timeoutSeconds,
  })
  if (report['2xx'] !== requests || report.errors > 0) {
    throw new Error(`${method} ${path}: only ${report['2xx']} of ${requests} requests succeeded`)
  }
}
