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
}
