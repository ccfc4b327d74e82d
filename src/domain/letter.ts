/** A mail to the holder of an account, about the account itself; what tells of services is a notice. */
export const letterKinds = ['activation', 'password_reset', 'invitation'] as const
export type LetterKind = (typeof letterKinds)[number]

/** How long the link in a letter works, in seconds. */
export const linkLifeSeconds: Readonly<Record<LetterKind, number>> = {
  activation: 7 * 86_400,
  password_reset: 3600,
  invitation: 7 * 86_400,
}
