import type { BrowserContextOptions } from 'playwright-core'
import { Failure } from '../../outgoing/failure.ts'
import type { VisitOptions } from './visit.ts'

interface Parts {
  readonly proxyUrl: string
  readonly version: string
}

const desktop = { viewport: { width: 1366, height: 768 } }
/** Lets sites recognise our visits in their logs. */
const signature = 'Latarnik'

/** Options for a context that shares nothing with others and connects only through its own proxy, even to loopback. */
export async function contextOptions(
  options: VisitOptions,
  { proxyUrl, version }: Parts,
): Promise<BrowserContextOptions> {
  const device = options.device === null ? null : await deviceOf(options.device)
  const userAgent = device?.userAgent ?? desktopAgent(version)
  return {
    ...(device ?? desktop),
    userAgent: `${userAgent} ${signature}`,
    proxy: { server: proxyUrl, bypass: '<-loopback>' },
    acceptDownloads: false,
    serviceWorkers: 'block',
    permissions: [],
  }
}

async function deviceOf(name: string): Promise<BrowserContextOptions> {
  const { devices } = await import('playwright-core')
  const device = devices[name]
  if (device === undefined) throw new Failure('setting_invalid', `setting device: ${JSON.stringify(name)} is not known`)
  const { defaultBrowserType: _, ...options } = device
  return options
}

/** The user agent of a browser with a window; many sites reject a headless one. */
function desktopAgent(version: string): string {
  const [major = '0'] = version.split('.')
  return `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 Safari/537.36`
}
