import { html } from '../../wording/html.ts'
import type { Language } from '../../wording/language.ts'
import { subscriptionText } from '../../wording/subscriptions.ts'
import { choiceHtml, heading, type View, type VisitedPage } from './views.ts'

/** Notifications of a browser: the one way to subscribe that needs a script, on a page of its own. */

export function browserView(visited: VisitedPage, pushKey: string): View {
  const { base, language, snapshot } = visited
  const title = subscriptionText('browser_title', language)
  const text = (key: 'browser_refused' | 'browser_unable' | 'browser_wait' | 'browser_done') =>
    subscriptionText(key, language)
  return {
    status: 200,
    title,
    isScripted: true,
    content: html`${heading(visited, title)}<main>
<p>${subscriptionText('browser_intro', language)}</p>
<noscript><p class="problem">${subscriptionText('browser_needs_script', language)}</p></noscript>
<form id="browser" method="post" action="${base}/subscribe/browser" data-key="${pushKey}" data-refused="${text('browser_refused')}" data-unable="${text('browser_unable')}" data-wait="${text('browser_wait')}" data-done="${text('browser_done')}">
${choiceHtml(snapshot, language, null)}
<button type="submit" disabled>${subscriptionText('browser_allow', language)}</button>
</form>
<p id="told" role="status"></p>
<p class="dim more">${subscriptionText('privacy', language)}</p>
<p class="more"><a href="${base}/subscribe">${subscriptionText('subscribe_title', language)}</a></p>
</main>
<script src="${base}/subscribe/browser.js" defer></script>`,
  }
}

/** The script of that page. It runs in the visitor's browser, so it is text here. */
export const browserScript = `'use strict'
const form = document.getElementById('browser')
const told = document.getElementById('told')
const button = form.querySelector('button')
const words = form.dataset
const isAble = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
if (isAble) button.disabled = false
else told.textContent = words.unable

async function subscribe() {
  if ((await Notification.requestPermission()) !== 'granted') return words.refused
  await navigator.serviceWorker.register('worker.js')
  const registration = await navigator.serviceWorker.ready
  const present = await registration.pushManager.getSubscription()
  const subscription = present ?? (await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: words.key }))
  const { endpoint, keys } = subscription.toJSON()
  const body = new URLSearchParams(new FormData(form))
  body.set('address', endpoint)
  body.set('p256dh', keys.p256dh)
  body.set('auth', keys.auth)
  const answer = await fetch(form.action, { method: 'POST', body, headers: { Accept: 'application/json' } })
  const { message } = await answer.json()
  return answer.ok ? words.done : message
}

form.addEventListener('submit', (event) => {
  event.preventDefault()
  told.textContent = words.wait
  subscribe().then(
    (text) => { told.textContent = text },
    () => { told.textContent = words.unable },
  )
})
`

/** The service worker shows messages, and confirms the subscription by the first one that arrives. */
export function workerScript(language: Language, pageTitle: string): string {
  const words = {
    confirmed: subscriptionText('confirmed_title', language),
    title: pageTitle,
  }
  return `'use strict'
const words = ${JSON.stringify(words)}

async function show(data) {
  const link = new URL(data.url)
  if (link.pathname.endsWith('/subscribe/confirm')) {
    const body = new URLSearchParams({ token: link.searchParams.get('token') ?? '' })
    const answer = await fetch('confirm', { method: 'POST', body })
    if (answer.ok) return self.registration.showNotification(words.confirmed, { body: words.title, tag: data.tag, data: { url: new URL('../', self.location.href).href } })
  }
  const actions = data.buttons.map(({ text, url }) => ({ action: url, title: text }))
  return self.registration.showNotification(data.title, { body: data.body, tag: data.tag, data: { url: data.url }, actions })
}

self.addEventListener('push', (event) => event.waitUntil(show(event.data.json())))
self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(self.clients.openWindow(event.action === '' ? event.notification.data.url : event.action))
})
`
}
