import type { LetterTexts } from '../catalogue.ts'

export const letters: LetterTexts = {
  activation: {
    subject: 'Activate the account {username}',
    text: `Hello,

somebody gave this address when making the account {username}. If it was you, open the link to activate the account:

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
  sensor_lost: {
    subject: 'Sensor {sensor}: LOST',
    text: `Sensor {sensor} (no. {id}) has not reported in since {since}.

Services with sensors_failover are checked by another sensor of the same category in its place. The others go on with the sensors that are left; when fewer than half answer, there is no verdict and nobody is told of a failure.

Another message follows when it is back.`,
  },
  sensor_returned: {
    subject: 'Sensor {sensor}: back',
    text: `Sensor {sensor} (no. {id}) reports in again since {returned}. It was lost from {since}.`,
  },
}
