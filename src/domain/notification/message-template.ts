/** Limits of users' own message templates (docs/templates.md). */
export interface MessageTemplate {
  readonly subject: string
  readonly body: string
}

/** The longest source of a subject, in characters. */
export const longestTemplateSubject = 2000
export const longestTemplateBody = 10_000

/** The longest result, in characters; longer results are not sent. */
export const longestSubject = 250
export const longestText = 20_000
