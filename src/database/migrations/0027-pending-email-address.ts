/** The new e-mail address of an account, until the link in a mail to it is followed. */
export const pendingEmailAddress = `
alter table user_data add column pending_email_address text;
`
