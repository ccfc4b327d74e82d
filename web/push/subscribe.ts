import { read } from '../api/client.ts'
import { prefix } from '../api/prefix.ts'

/** Why a browser shows no notifications. */
export type NoPush = 'unsupported' | 'insecure' | 'denied' | 'failed'

/** The fields of an address of the channel `web_push`. */
export type Subscription = Readonly<Record<'endpoint' | 'p256dh' | 'auth', string>>

/** Browsers need this policy before they accept the address of a script. */
interface ScriptAddresses {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string }
}

const workerAddress = `${prefix}/console/push-worker.js`

/** Browsers that know no trusted types take the address as it is. */
function trusted(): string {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: ScriptAddresses }
  policy ??= trustedTypes?.createPolicy('push-worker', { createScriptURL: () => workerAddress }) ?? null
  return policy?.createScriptURL('') ?? workerAddress
}
let policy: ReturnType<ScriptAddresses['createPolicy']> | null = null

/** Asks the person, and then the browser's push service. */
export async function subscribe(): Promise<Subscription | NoPush> {
  if (!globalThis.isSecureContext) return 'insecure'
  if (!('serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis)) {
    return 'unsupported'
  }
  if ((await Notification.requestPermission()) !== 'granted') return 'denied'
  try {
    const { public_key: applicationServerKey } = await read('/web_push_key')
    await navigator.serviceWorker.register(trusted())
    const registration = await navigator.serviceWorker.getRegistration(workerAddress)
    if (registration === undefined) return 'failed'
    await untilActive(registration)
    const made = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })
    const { endpoint, keys } = made.toJSON()
    const { p256dh, auth } = keys ?? {}
    if (endpoint === undefined || p256dh === undefined || auth === undefined) return 'failed'
    return { endpoint, p256dh, auth }
  } catch {
    return 'failed'
  }
}

function untilActive({ active, installing, waiting }: ServiceWorkerRegistration): Promise<void> {
  const coming = installing ?? waiting
  if (active !== null || coming === null) return Promise.resolve()
  return new Promise((resolve, reject) => {
    coming.addEventListener('statechange', () => {
      if (coming.state === 'activated') resolve()
      if (coming.state === 'redundant') reject(new Error('the worker was given up'))
    })
  })
}
