import { membersOf } from './answer-members.ts'
import { cutEscaped, cutText } from './cut-text.ts'
import type { Meaning, Notification } from './integration.ts'
import { colorOf, escapeMarkdown, withoutMentions } from './markup.ts'

const longestTitle = 200
const longestText = 4000

/** Mattermost and Rocket.Chat adopted Slack's attachments, with Markdown in them. */
export function attachmentBody({ subject, text, link, condition }: Notification): object {
  const color = colorOf(condition)
  return {
    attachments: [
      {
        title: withoutMentions(cutText(subject, longestTitle)),
        ...(link === null ? {} : { title_link: link }),
        text: cutEscaped(text, longestText, (part) => withoutMentions(escapeMarkdown(part))),
        ...(color === null ? {} : { color }),
      },
    ],
  }
}

export function saidByHook({ text }: { readonly text: string }): Meaning {
  const { message, error } = membersOf(text)
  const said = message ?? error
  return typeof said === 'string' ? { said } : {}
}
