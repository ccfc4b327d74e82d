import type { PageTexts } from '../catalogue.ts'

export const pages: PageTexts = {
  login_title: 'Log in',
  login_intro: '{client} asks to use your account. It will be able to do everything that you can.',
  login_returns_to: 'After logging in you will return to {target}.',
  username: 'Username',
  password: 'Password',
  code: 'Code',
  code_hint: 'Only if you log in in two steps: from the application, or a recovery code.',
  log_in: 'Log in',
  cancel: 'Cancel',
  form_is_stale: 'The form was open for too long, or cookies are switched off. Try once more.',
  broken_link_title: 'This link does not work',
  unknown_client: 'The application that sent you here is not known. Nothing was passed to it.',
  wrong_redirect:
    'The application that sent you here asked to return to an address that is not its own. Nothing was passed to it.',
  password_title: 'Set a password',
  password_intro: 'The password with which {username} will log in.',
  password_rule: '{minimum} to {maximum} characters.',
  password_again: 'The same password again',
  passwords_differ: 'The two passwords differ.',
  password_length: 'A password has {minimum} to {maximum} characters.',
  set_password: 'Set the password',
  password_done_title: 'The password is set',
  password_done: 'You can log in as {username} now. All earlier sessions have ended.',
  link_is_over: 'The link has expired or was used already. Ask for a new one.',
  activation_title: 'The account is active',
  activation_done: 'Welcome, {username}. You can log in now.',
  documentation_needs_script:
    'The interactive documentation needs JavaScript; the description itself is at {description}.',
  console_login_intro: 'Log in to see what is monitored here.',
}
