/** Lives in the browser when the console is closed: shows what the push service brings, and opens it. */

interface Told {
  readonly title: string
  readonly body: string
  /** The same for a failure and its end: the later one takes the place of the earlier. */
  readonly tag: string
  readonly url: string | null
  readonly isUrgent: boolean
  readonly buttons: readonly { readonly text: string; readonly url: string }[]
}

interface PushEvent extends Event {
  readonly data: { json(): Told } | null
  waitUntil(work: Promise<unknown>): void
}

interface ClickEvent extends Event {
  /** Empty: not a button. */
  readonly action: string
  readonly notification: Notification & { readonly data: { readonly url: string | null } }
  waitUntil(work: Promise<unknown>): void
}

interface Tab {
  readonly url: string
  focus(): Promise<unknown>
}

interface Worker {
  readonly registration: ServiceWorkerRegistration
  readonly clients: {
    matchAll(choice: { readonly type: 'window'; readonly includeUncontrolled: true }): Promise<readonly Tab[]>
    openWindow(url: string): Promise<unknown>
  }
  addEventListener(type: 'push', listener: (event: PushEvent) => void): void
  addEventListener(type: 'notificationclick', listener: (event: ClickEvent) => void): void
}

const worker = globalThis as unknown as Worker

worker.addEventListener('push', (event) => {
  const told = event.data?.json()
  if (told === undefined) return
  const { title, body, tag, url, isUrgent, buttons } = told
  const options = {
    ...{ body, tag, renotify: true, requireInteraction: isUrgent, data: { url } },
    // The address is its name: nothing else comes back with a press.
    actions: buttons.map(({ text, url: leadsTo }) => ({ action: leadsTo, title: text })),
  }
  event.waitUntil(worker.registration.showNotification(title, options))
})

worker.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const url = event.action === '' ? event.notification.data.url : event.action
  if (url !== null) event.waitUntil(show(url))
})

async function show(url: string): Promise<void> {
  const tabs = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const open = tabs.find((tab) => tab.url === url)
  await (open === undefined ? worker.clients.openWindow(url) : open.focus())
}
