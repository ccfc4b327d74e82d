import { expect, test } from 'vitest'
import { googleChat } from './google-chat.ts'
import type { Notification } from './integration.ts'
import { ntfy } from './ntfy.ts'
import { pagerduty } from './pagerduty.ts'
import { slack } from './slack.ts'
import { teams } from './teams.ts'
import { telegram } from './telegram.ts'

const notification: Notification = {
  ...{ key: 'notice-7-failure-1', threadKey: 'thread-7-1', serviceId: 7, serviceName: 'Shop', language: 'pl' },
  ...{ condition: 'failure', decidedAt: 0, subject: 'Shop: AWARIA', text: 'Nie działa.\n', attachment: null },
  link: 'https://watch.example.com/services/7',
  acknowledgeLink: 'https://watch.example.com/acknowledge?token=7.a.4.x',
}
const settingsOf = {
  google_chat: { url: 'https://chat.googleapis.com/v1/spaces/A/messages?key=k&token=t' },
  ntfy: { server: 'https://ntfy.sh', topic: 'phil' },
  pagerduty: { routing_key: 'a'.repeat(32), region: 'us' },
  slack: { url: 'https://hooks.slack.com/services/T/B/x' },
  teams: { url: 'https://prod.westeurope.logic.azure.com/workflows/1/triggers/manual?sig=x' },
  telegram: { bot_token: '123456789:AbCdEfGhIjKlMnOpQrStUv', chat_id: '5' },
} as const
const bodyOf = (
  integration: { readonly request: typeof slack.request },
  settings: object,
  given: Partial<Notification> = {},
) => JSON.parse(integration.request({ ...notification, ...given }, { ...settings }).body ?? '')

test('what a phone can press leads to the page that acknowledges', () => {
  const url = notification.acknowledgeLink
  expect(bodyOf(ntfy, settingsOf.ntfy).actions).toEqual([{ action: 'view', label: 'Potwierdź', url }])
  expect(bodyOf(telegram, settingsOf.telegram).reply_markup).toEqual({
    inline_keyboard: [[{ text: 'Potwierdź', url }]],
  })
  expect(bodyOf(pagerduty, settingsOf.pagerduty).links).toEqual([{ href: url, text: 'Potwierdź (Latarnik)' }])
  expect(bodyOf(teams, settingsOf.teams).attachments[0].content.actions).toEqual([
    { type: 'Action.OpenUrl', title: 'Potwierdź', url },
    { type: 'Action.OpenUrl', title: 'Szczegóły', url: notification.link },
  ])
  const [, widget] = bodyOf(googleChat, settingsOf.google_chat).cardsV2[0].card.sections[0].widgets
  expect(widget.buttonList.buttons[0]).toEqual({ text: 'Potwierdź', onClick: { openLink: { url } } })
  expect(bodyOf(slack, settingsOf.slack).attachments[0].blocks[1].text.text).toBe(`<${url}|Potwierdź>`)
})

test('what is over, or acknowledged, offers no such button', () => {
  const given = { acknowledgeLink: null, condition: 'recovery' }
  expect(bodyOf(ntfy, settingsOf.ntfy, given)).not.toHaveProperty('actions')
  expect(bodyOf(telegram, settingsOf.telegram, given)).not.toHaveProperty('reply_markup')
  expect(bodyOf(pagerduty, settingsOf.pagerduty, given)).not.toHaveProperty('links')
  expect(bodyOf(slack, settingsOf.slack, given).attachments[0].blocks).toHaveLength(1)
})

test('Telegram is not given a button that it would refuse the message for', () => {
  const given = { acknowledgeLink: 'http://localhost:8080/acknowledge?token=7.a.4.x' }
  expect(bodyOf(telegram, settingsOf.telegram, given)).not.toHaveProperty('reply_markup')
})
