import { buttonsOf } from './buttons.ts'
import { cutText } from './cut-text.ts'
import { secretUrl } from './fields.ts'
import { integration } from './integration.ts'
import { escapeMarkdown } from './markup.ts'

/** Microsoft serves workflows at several hosts; the two excluded ones belong to its retired connectors. */
const workflowPattern = /^https:\/\/(?!([^/]*\.)?webhook\.office\.com[:/]|outlook\.office(365)?\.com[:/])[^/]+\/.+$/
  .source

/** Together they stay below Teams' limit of 28 KB. */
const longestText = 6000
const mostLines = 60

const colors: Readonly<Record<string, string>> = { failure: 'Attention', recovery: 'Good' }

/** https://learn.microsoft.com/en-us/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using */
export const teams = integration({
  id: 'teams',
  words: {
    en: { name: 'Microsoft Teams', description: 'A card in a channel or chat, by a workflow.' },
    pl: { name: 'Microsoft Teams', description: 'Karta na kanale lub czacie, przez przepływ pracy.' },
  },
  vendor: null,
  fields: {
    url: secretUrl(
      {
        en: {
          label: 'Workflow URL',
          description: 'Teams shows it when you add the workflow that posts when a webhook request is received.',
        },
        pl: {
          label: 'Adres przepływu pracy',
          description: 'Teams pokazuje go po dodaniu przepływu, który publikuje po odebraniu żądania elementu webhook.',
        },
      },
      {
        pattern: workflowPattern,
        expected: {
          en: 'Expected the https address of a workflow. Microsoft has retired webhook.office.com: add a workflow to the channel and use its address.',
          pl: 'Oczekiwany jest adres https przepływu pracy. Microsoft wycofał webhook.office.com: dodaj do kanału przepływ pracy i użyj jego adresu.',
        },
      },
    ),
  },
  label({ url }) {
    const { host, pathname } = new URL(url)
    const workflow = /\/workflows\/(\w{8})\w*\/triggers\//.exec(pathname)?.[1]
    return workflow === undefined ? host : `${host}/…/${workflow}…`
  },
  detect({ protocol, hostname, pathname, searchParams, href }) {
    const isMicrosoft = /\.(logic\.azure\.com|api\.powerplatform\.com)$/.test(hostname)
    const isWorkflow = pathname.includes('/workflows/') && searchParams.has('sig')
    return protocol === 'https:' && isMicrosoft && isWorkflow ? { url: href } : null
  },
  request(notification, { url }) {
    const { subject, text, condition } = notification
    const actions = buttonsOf(notification).map((button) => ({
      ...{ type: 'Action.OpenUrl', title: button.text, url: button.url },
    }))
    const lines = cutText(text, longestText)
      .split('\n')
      .filter((line) => line !== '')
    const shown = lines.length <= mostLines ? lines : [...lines.slice(0, mostLines - 1), '…']
    const color = colors[condition]
    const content = {
      ...{ $schema: 'http://adaptivecards.io/schemas/adaptive-card.json', type: 'AdaptiveCard', version: '1.4' },
      body: [
        block(cutText(subject, 200), { size: 'Medium', weight: 'Bolder', ...(color === undefined ? {} : { color }) }),
        ...shown.map((line) => block(line, { spacing: 'None' })),
      ],
      ...(actions.length === 0 ? {} : { actions }),
      msteams: { width: 'Full' },
    }
    const contentType = 'application/vnd.microsoft.card.adaptive'
    return { url, json: { type: 'message', attachments: [{ contentType, contentUrl: null, content }] } }
  },
})

/**
 * Teams has refused cards with text runs, which take plain text (microsoft/AdaptiveCards#8804); text blocks read
 * Markdown.
 */
function block(text: string, style: object): object {
  return { type: 'TextBlock', text: escapeMarkdown(text), wrap: true, ...style }
}
