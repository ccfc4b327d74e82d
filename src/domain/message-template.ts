/** How users word a message (docs/templates.md). */
export interface MessageTemplate {
  readonly subject: string
  readonly body: string
}

/** Characters of the sources. */
export const longestTemplateSubject = 2000
export const longestTemplateBody = 10_000

/** Characters of what comes out of them; what is longer is not sent. */
export const longestSubject = 250
export const longestText = 20_000
