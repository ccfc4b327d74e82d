import type { LetterTexts } from '../catalogue.ts'

export const letters: LetterTexts = {
  activation: {
    subject: 'Activate the account {username}',
    text: `Hello,

somebody gave this address when making the account {username}. If it was you, open the link and activate the account:

{link}

The link works until {until}.

If it was not you, do nothing: the account stays inactive and disappears.`,
  },
  password_reset: {
    subject: 'A new password for the account {username}',
    text: `Hello,

somebody asked to set a new password for the account {username}. If it was you, open the link and enter the new password:

{link}

The link works once, until {until}.

If it was not you, do nothing: the present password stays valid.`,
  },
  invitation: {
    subject: 'The account {username} waits for a password',
    text: `Hello,

an account was made for you: {username}. Open the link and set the password with which you will log in:

{link}

The link works once, until {until}.`,
  },
  email_change: {
    subject: 'Confirm the e-mail address of the account {username}',
    text: `Hello,

somebody gave this address as the new e-mail address of the account {username}. If it was you, open the link and confirm it:

{link}

The link works once, until {until}. Until then letters about the account go to its present address.

If it was not you, do nothing: the account keeps its present address.`,
  },
  address_changed: {
    subject: 'The e-mail address of the account {username} was changed',
    text: `Hello,

the account {username} has another e-mail address since {changed}. Letters about the account no longer come here, and links to a new password that came here have stopped working.

If it was you, do nothing.

If it was not you, log in, set a new password and enter your address again. If you cannot log in any more, turn to whoever runs this service.`,
  },
  passkey_added: {
    subject: 'A passkey was added to the account {username}',
    text: `Hello,

the passkey “{name}” was added to the account {username} at {added}. It logs in without a password.

If it was you, do nothing.

If it was not you, log in, remove it under Account, Security, and set a new password. If you cannot log in any more, turn to whoever runs this service.`,
  },
  services_unchecked: {
    subject: 'Services that are not checked: {count}',
    text: `Hello,

these services of the account {username} are monitored, but no station can check them. Nothing is known of them until this is changed:

{services}

You are told of each service once. GET /v3/service_statuses?summary=unknown shows what holds now, with the reason.`,
  },
  address_switched_off: {
    subject: 'An address is told nothing more: {address}',
    text: `Hello,

the account {username} notifies {address} ({channel}). The far end says that it is there no more: {reason}

The address was switched off. Correct it or remove it under Notifications, and switch it on again there. Other addresses are notified as before.`,
  },
  sms_limit_reached: {
    subject: 'No more SMS today for the account {username}',
    text: `Hello,

the account {username} has sent as many SMS as it may in one day: {limit}. Until midnight UTC further notices by SMS are not sent. Each of them stands in the log of notifications as failed. Notices through other channels are sent as before.

The limit is set by the operator of this service. Turn to the operator if you need more.`,
  },
  sensor_lost: {
    subject: 'Station {sensor}: LOST',
    text: `Station {sensor} (no. {id}) has not reported in since {since}.

Services with sensors_failover are checked by another station of the same category in its place. The others go on with the stations that are left; when fewer than half answer, there is no verdict and nobody is told of a failure.

Another message follows when it is back.`,
  },
  sensor_returned: {
    subject: 'Station {sensor}: back',
    text: `Station {sensor} (no. {id}) reports in again since {returned}. It was lost from {since}.`,
  },
  disk_full: {
    subject: 'The disk of the database is FULL',
    text: `The disk of the database has been full since {since}, says the process {process} on {machine}.

Rounds are not recorded, so no failure is noticed and nobody is notified of one. The API answers reads, but writes and new logins fail. Nothing that was acknowledged is lost.

Make room on that disk; nothing else is needed. A smaller RETENTION_DAYS helps for longer.

Another message follows when there is room again.`,
  },
  disk_has_room: {
    subject: 'The disk of the database has room again',
    text: `The process {process} on {machine} records rounds again since {returned}. The disk of the database was full from {since}. Rounds that were due meanwhile are missed: the screen "This installation" counts them.`,
  },
  gateway_down: {
    subject: 'Gateway {gateway}: DOWN',
    text: `The gateway for notices by {gateway} has not served since {since}. It says:

{error}

Notices that should go through it wait; it is tried again every minute. What cannot be delivered within 24 hours is given up and stands in the log of notifications.

Another message follows when it is back.`,
  },
  gateway_returned: {
    subject: 'Gateway {gateway}: back',
    text: `The gateway for notices by {gateway} serves again since {returned}. It was down from {since}. It had said:

{error}

Notices that were waiting are on their way.`,
  },
}
