import type { SubscriptionTexts } from '../subscription-texts.ts'

export const subscriptions: SubscriptionTexts = {
  kind_published: 'New incident: {name} ({status})',
  kind_updated: 'Update: {name} ({status})',
  kind_resolved: 'Resolved: {name}',
  kind_scheduled: 'Planned maintenance: {name}',
  kind_started: 'Maintenance has begun: {name}',
  kind_completed: 'Maintenance is over: {name}',
  kind_cancelled: 'Maintenance is called off: {name}',
  way_email: 'E-mail',
  way_webhook: 'Webhook',
  way_slack: 'Slack',
  way_teams: 'Microsoft Teams',
  way_discord: 'Discord',
  way_web_push: 'This browser',
  hint_email: 'you@example.com',
  hint_webhook: 'https://example.com/hooks/status',
  hint_slack: 'https://hooks.slack.com/services/…',
  hint_teams: 'the URL of a workflow',
  hint_discord: 'https://discord.com/api/webhooks/…',
  confirm_subject: 'Confirm your subscription to a status page',
  confirm_text: `Hello,

somebody asked for messages about this status page to be sent here:

{page}

If it was you, open the link and press the button:

{link}

The link works for three days. If it was not you, do nothing: nothing more is sent, and this address is forgotten.`,
  links_subject: 'Your subscription to a status page',
  links_text: `Hello,

messages about this status page are sent here already:

{page}

Here you change what you get, or leave:

{link}`,
  notice_subject: '[{page}] {name}: {status}',
  footer: `You subscribed to {page}. Change what you get, or leave:
{link}`,
  planned: 'Planned: {from} – {until} ({zone})',
  since: 'Since: {since} ({zone})',
  until: 'Until: {until} ({zone})',
  subscribe: 'Get updates',
  subscribe_title: 'Get updates of this page',
  subscribe_intro: 'You are told of incidents and maintenance when they begin, go on and end.',
  way: 'How',
  address: 'Address',
  choice: 'Updates about',
  everything: 'Everything',
  some: 'Only these parts:',
  privacy:
    'We keep the address and your choice, for these messages alone. An address that is not confirmed is forgotten after three days, and one that leaves is forgotten at once.',
  other_ways: 'Without an address:',
  browser_link: 'notifications of this browser',
  send: 'Subscribe',
  back: 'Back to the page',
  wrong_address: 'The address does not fit the chosen way.',
  nothing_chosen: 'Choose at least one part.',
  too_many: 'Too many requests came from your network. Try again in {seconds} seconds.',
  page_full: 'The page takes no more subscribers now.',
  asked_title: 'Now confirm it',
  asked:
    'If the address takes messages, a link is on its way. Open it within three days; until then nothing else is sent there.',
  webhook_asked:
    'If the URL leads to a public server, it now gets a request of the type subscription.challenge. It must answer with {"challenge": "…"}, with the value of data.challenge. An address that is subscribed already stays as it is.',
  webhook_secret: 'The secret that signs our requests (Standard Webhooks). It is shown this once:',
  confirm_title: 'Confirm your subscription',
  confirm_asked: 'Press the button to get updates of {page} at {address}.',
  confirm: 'Confirm',
  confirmed_title: 'You are subscribed',
  confirmed: 'Updates of {page} are now sent to {address}. Every message has a link to change or leave.',
  manage_title: 'Your subscription',
  told_at: '{way}: {address}',
  not_confirmed: 'It is not confirmed yet, so nothing is sent.',
  disabled: 'Nothing is sent any more: the address refused our messages. Subscribe again to change that.',
  save: 'Save the choice',
  saved: 'The choice is saved.',
  leave: 'Leave',
  leave_title: 'Leave this page',
  leave_asked: 'Press the button, and nothing more is sent to {address}. The address is forgotten at once.',
  left_title: 'You have left',
  left: 'The address is forgotten, and nothing more is sent.',
  broken_title: 'The link has ended',
  broken: 'It may be too old, or the address has left already. You can subscribe again.',
  browser_title: 'Notifications of this browser',
  browser_intro: 'The browser shows incidents and maintenance of this page, also while it is closed.',
  browser_allow: 'Allow notifications',
  browser_needs_script: 'This needs JavaScript. Every other way works without it.',
  browser_refused: 'The browser does not allow notifications of this page. Its settings can change that.',
  browser_unable: 'This browser cannot show notifications. On iPhone and iPad, add the page to the home screen first.',
  browser_wait: 'One moment…',
  browser_done: 'Almost done: the browser shows a first notification when all is ready.',
}
