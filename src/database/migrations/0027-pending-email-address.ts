/** The e-mail address that an account wants instead of its own, until the link in a letter to it is followed. */
export const pendingEmailAddress = `
alter table user_data add column pending_email_address text;
`
