import type { CDPSession } from 'playwright-core'
import type { Network } from './visit.ts'

interface Shape {
  readonly latencyMs: number
  readonly downloadBitsPerSecond: number
  readonly uploadBitsPerSecond: number
}

/** The profiles "4G" and "3G" of WebPageTest. */
const shapes: Readonly<Record<Exclude<Network, 'none'>, Shape>> = {
  '4g': { latencyMs: 170, downloadBitsPerSecond: 9_000_000, uploadBitsPerSecond: 9_000_000 },
  '3g': { latencyMs: 300, downloadBitsPerSecond: 1_600_000, uploadBitsPerSecond: 768_000 },
}

/** Slows the page's network down to a phone's. */
export async function shapeNetwork(session: CDPSession, network: Network): Promise<void> {
  if (network === 'none') return
  const { latencyMs, downloadBitsPerSecond, uploadBitsPerSecond } = shapes[network]
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: latencyMs,
    downloadThroughput: downloadBitsPerSecond / 8,
    uploadThroughput: uploadBitsPerSecond / 8,
  })
}
